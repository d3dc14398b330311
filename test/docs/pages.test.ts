// The commands of the pages run and show what the pages say that they show. getting-started.test.ts starts them as a reader does.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { Cli, useSharedHome } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

const root = join(import.meta.dirname, '..', '..');
const troubleshooting = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');

const home = useSharedHome();
const inHome = (): Cli => new Cli({ HEDDLE_HOME: home() });

test('docs/agent.md: its first task can be followed: it recovers, asks, and tells what was said', async () => {
  const cli = inHome();
  cpSync(join(root, 'examples', 'agent'), join(cli.cwd, 'examples', 'agent'), { recursive: true });
  const printed = await followPage(cli, 'agent.md', ['script.yaml'], { keepService: true });
  expect(printed.size).toBe(8);
  const notes = readFileSync(join(cli.cwd, 'examples', 'agent', 'NOTES.md'), 'utf8');
  expect(notes).toMatch(/# Changes[^#]*# Upgrade/);
  expect(printed.get('heddle logs first notes')).toContain('read_file {"path":"CHANGES.txt"}: ok');
  expect(printed.get('heddle inbox')).toContain('option-2  developers');
  const transcript = printed.get('heddle logs first announce --transcript') ?? '';
  expect(transcript).toMatch(/### Call ask_user[^#]*### Result of ask_user[^#]*users/);
  const { records } = await cli.json<{ records: AttemptView[] }>('report', 'first');
  expect(records.map(({ subtask, attempt, outcome, modelCalls }) => [subtask, attempt, outcome, modelCalls])).toEqual([
    ['notes', 1, 'failed', 2],
    ['notes', 2, 'passed', 1],
    ['announce', 1, 'passed', 2],
  ]);
  // It waited for a person, not for the environment.
  expect(records.map(({ waits }) => waits)).toEqual([[], [], []]);
}, 240_000);

test('docs/recovery.md can be followed: one subtask recovers, one fails, a retry reuses what is finished', async () => {
  const printed = await followPage(inHome(), 'recovery.md', ['recovery.yaml'], { keepService: true });
  const report = printed.get('heddle report notes') ?? '';
  expect(report).toMatch(/## Recovered subtasks[^#]*\| build \|/);
  expect(report).toMatch(/## Failed and blocked[^#]*\| check \|/);
  const plan = printed.get('heddle retry notes --dry-run') ?? '';
  expect(plan).toContain('reused: design and build');
  expect(plan).toContain('runs:   check (it was not completed)');
}, 240_000);

test('docs/troubleshooting.md can be followed, and every step shows what it says', async () => {
  const printed = await followPage(inHome(), 'troubleshooting.md', ['broken.yaml'], { keepService: true });
  const of = (command: string): string => printed.get(`heddle ${command}`) ?? '';
  expect(of('status broken')).toContain('blocked: it needs draft, which failed.');
  expect(of('report broken')).toMatch(/## Failed and blocked[^#]*## .*missing-sections/s);
  expect(of('logs broken draft --attempt 1')).toContain('writing');
  expect(of('diff broken draft')).toContain('+# Changes');
  expect(of('watch broken --since 0 --json || test $? -eq 1')).toContain('"type":"task.ended"');

  const [record = {}] = (JSON.parse(of('report broken --json')) as { records: object[] }).records;
  const [, rows = ''] = /Each entry of `records`.*?\n\n(.*?)\n\n/s.exec(troubleshooting) ?? [];
  const fields = [...rows.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)]);
  expect(fields.length).toBeGreaterThan(15);
  expect(fields.map(([, field = '']) => field).filter((field) => !(field in record))).toEqual([]);
}, 240_000);
