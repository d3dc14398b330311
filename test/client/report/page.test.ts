// The report as one HTML file: well-formed, closed to scripts and the network, readable by everybody, bounded.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reportPage } from '../../../client/report/page.ts';
import { dark, light } from '../../../client/html/style.ts';
import { timeScale } from '../../../client/report/time-scale.ts';
import { writeReport } from '../../../client/report/write.ts';
import { buildReport } from '../../../domain/report/report.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import { at, decision, record, status, subtask } from '../cli/shared/support.ts';
import { fullReport, fullStatus, hostile } from './fixture.ts';

const now = Date.parse(at(7_400));
const changes = 'this machine has no snapshots of the task';
const full = reportPage(fullReport(), fullStatus.subtasks, { now, changes });
const pageOf = (view: StatusView, records: Parameters<typeof buildReport>[1] = []): string =>
  reportPage(buildReport(view, records, []), view.subtasks, { now, changes });

/** Reads every tag; fails when one is not closed in its order or an attribute is not in quotation marks. */
function tagsOf(html: string): { name: string; attributes: string }[] {
  const body = html.replace(/^<!doctype html>\n/, '').replace(/(<style>)[^<]*(<\/style>)/, '$1$2');
  const open: string[] = [];
  const tags: { name: string; attributes: string }[] = [];
  const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/y;
  for (let index = body.indexOf('<'); index !== -1; index = body.indexOf('<', tag.lastIndex)) {
    tag.lastIndex = index;
    const [, closes, name = '', attributes = '', empty] = tag.exec(body) ?? [];
    if (name === '') throw new Error(`no tag: ${body.slice(index, index + 60)}`);
    if (closes === '/') expect(open.pop()).toBe(name);
    else {
      tags.push({ name, attributes });
      if (empty !== '/') open.push(name);
    }
  }
  expect(open).toEqual([]);
  return tags;
}

test('every tag is closed, every id is used once, and what refers to one finds it', () => {
  const tags = tagsOf(full);
  const ids = tags.flatMap(({ attributes }) => [...attributes.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const wanted = [...full.matchAll(/aria-labelledby="([^"]*)"/g)].flatMap(([, list]) => list?.split(' ') ?? []);
  expect(ids).toEqual(expect.arrayContaining(wanted));
  expect(wanted.length).toBeGreaterThan(5);
});

test('nothing leads outside: no script, no link, no address, no style but the one that the policy names', () => {
  const names = new Set(tagsOf(full).map(({ name }) => name));
  for (const name of ['script', 'link', 'img', 'iframe', 'a', 'form', 'object', 'base', 'use', 'image'])
    expect(names).not.toContain(name);
  expect(full.replace('http-equiv', '')).not.toMatch(/http|url\((?!#)|@import|<script| (?:src|href|style|on\w+)=/i);
  const css = /<style>([^<]*)<\/style>/.exec(full)?.[1] ?? '';
  const hash = createHash('sha256').update(css).digest('base64');
  expect(full).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"/>`,
  );
});

test('texts of others stay text, wherever they come from', () => {
  const subtasks = [subtask('a', { state: 'skipped', reason: hostile }), subtask(hostile, { state: 'failed' })];
  const view = status({
    goal: hostile,
    summary: hostile,
    project: hostile,
    subtasks,
    decisions: [decision({ problem: hostile })],
  });
  const records = [
    record({
      subtask: hostile,
      outcome: 'failed',
      signature: hostile,
      summary: hostile,
      waits: [{ at: at(1), ms: 1, reason: hostile }],
      filesAffected: [{ path: hostile, state: 'created', lines: 1 }],
    }),
  ];
  const page = pageOf(view, records);
  const tags = tagsOf(page);
  expect(tags.some(({ name }) => name === 'script' || name === 'img')).toBe(false);
  expect(tags.some(({ attributes }) => / on\w+=/.test(attributes))).toBe(false);
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b]/);
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(8);
});

test('tables have headings with their scope, pictures a title and a description, in one order of headings', () => {
  const tags = tagsOf(full);
  const of = (name: string) => tags.filter((tag) => tag.name === name);
  expect(of('th').every(({ attributes }) => /scope="(?:col|row)"/.test(attributes))).toBe(true);
  expect(of('h1')).toHaveLength(1);
  expect(of('table').length).toBeGreaterThan(8);
  const pictures = [
    ...full.matchAll(/<svg [^>]*role="img"[^>]*>\n<title id[^>]*>[^<]+<\/title>\n<desc id[^>]*>[^<]+<\/desc>/g),
  ];
  expect(pictures).toHaveLength(3);
  expect(of('svg').filter(({ attributes }) => !attributes.includes('aria-hidden'))).toHaveLength(3);
  expect(full).toContain('<html lang="en">');
});

test('the charts show every attempt with its outcome and rung, failures by type and recovery by rung', () => {
  expect(full.match(/<g class="passed">/g)).toHaveLength(6);
  expect(full.match(/<g class="failed">/g)).toHaveLength(5);
  expect(full).toContain('draft, attempt 3: passed in 30 s; rung 3, tier 2');
  expect(full).toContain('>3 ✓</text>');
  expect(full).toContain('missing-sections: 3; blocked: 1; timeout: 1</desc>');
  expect(full).toContain('rung 2: 1; rung 3: 1</desc>');
  expect(full).toContain('Waited for a person: images-1, answered fix, 1 h 58 min');
  expect(full).toContain('time in which nothing ran, 1 h 57 min in all');
});

test('it works with no attempt, with one that runs, and with times that make no sense', () => {
  const empty = pageOf(status({ state: 'planning' }));
  tagsOf(empty);
  expect(empty).toContain('Nothing has run yet.');
  const running = status({ subtasks: [subtask('a', { state: 'running' })] });
  const page = pageOf(running, [
    record({ subtask: 'a', outcome: 'running', endedAt: null }),
    record({ subtask: 'b', startedAt: '', endedAt: '' }),
    record({ subtask: 'c', startedAt: at(9), endedAt: at(3) }),
  ]);
  tagsOf(page);
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
});

test('with 500 subtasks the timeline shows the 60 longest and says so', () => {
  const subtasks = Array.from({ length: 500 }, (_, index) => subtask(`s${index}`, { state: 'completed' }));
  const records = subtasks.map(({ id }, index) =>
    record({ subtask: id, startedAt: at(index), endedAt: at(index + 1 + (index % 100)) }),
  );
  const page = pageOf(status({ state: 'completed', endedAt: at(700), subtasks }), records);
  tagsOf(page);
  expect(page).toContain('The 60 subtasks that ran longest, of 500.');
  expect(page.match(/<text class="name"/g)).toHaveLength(60);
  expect(page).toContain('<title>s99</title>');
  expect(page).not.toContain('<title>s10</title>');
});

test('a long goal has a short heading and stands whole below it', () => {
  const goal = `Start ${'and on '.repeat(50)}end\nnext line`;
  const page = pageOf(status({ goal }));
  expect(/<h1>([^<]*)</.exec(page)?.[1]).toHaveLength(160);
  expect(page).toContain('end\nnext line</p>');
});

test('a time axis keeps its order and its ends, and cuts only long idle times', () => {
  const spans = [
    { from: 0, to: 10_000 },
    { from: 12_000, to: 30_000 },
    { from: 9_000_000, to: 9_010_000 },
  ];
  const scale = timeScale(spans, { from: 0, to: 9_010_000 }, 800);
  expect(scale.cuts.map(({ ms }) => ms)).toEqual([8_970_000]);
  const places = [0, 5_000, 10_000, 12_000, 30_000, 5_000_000, 9_000_000, 9_010_000].map((time) => scale.at(time));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect([places[0], Math.round(places.at(-1) ?? 0)]).toEqual([0, 800]);
  expect(scale.ticks[0]).toEqual({ x: 0, label: '0 s' });
});

const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

for (const [name, colours] of Object.entries({ light, dark })) {
  test(`the ${name} colours have the contrast of WCAG AA`, () => {
    for (const ground of [colours.page, colours.card, colours.stripe])
      for (const text of [colours.text, colours.muted]) expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    for (const bar of [colours.passed, colours.failed, colours.cancelled, colours.running, colours.asked]) {
      expect(contrast(colours.inside, bar)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(bar, colours.card)).toBeGreaterThanOrEqual(3);
    }
  });
}

test('the files that are asked for are written where the current folder says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const options = { html: 'r.html', markdown: 'r.md', cwd: folder, now, changes };
  const written = await writeReport(fullReport(), fullStatus.subtasks, options);
  expect(written).toEqual({ page: join(folder, 'r.html'), markdown: join(folder, 'r.md') });
  expect(await readFile(join(folder, 'r.html'), 'utf8')).toBe(full);
  expect(await readFile(join(folder, 'r.md'), 'utf8')).toMatch(/^# Publish[^]*\n$/);
  expect(await writeReport(fullReport(), [], { cwd: folder, now, changes })).toEqual({});
});

test('a file that cannot be written is an error that names it', async () => {
  const file = join(tmpdir(), 'heddle-no-such-folder', 'r.html');
  await expect(writeReport(fullReport(), [], { html: file, cwd: '/', now, changes })).rejects.toMatchObject({
    code: 'USAGE',
    where: file,
  });
});
