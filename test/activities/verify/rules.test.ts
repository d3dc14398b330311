import { mkdirSync, writeFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveIdleThread, takeIdleThread } from '../../../activities/threads/idle-threads.ts';
import { createTextInspector, inspectThread } from '../../../activities/verify/inspect/text-inspector.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import type { Rule } from '../../../domain/types/subtask.ts';
import { codesOf, VerifyRig } from './rig.ts';

// Regex rules: where a pattern is looked for, what a match means, and that no pattern can hold the worker.

let rig: VerifyRig;
beforeEach(async () => {
  rig = await VerifyRig.make();
});
afterEach(() => rig.remove());

function rule(pattern: string, more: Partial<Rule> = {}): Rule {
  return { pattern, in: [], must: 'absent', severity: 'hard', ...more };
}

test.each<[string, Rule, boolean]>([
  ['absent and absent', rule('FIXME'), true],
  ['absent but there', rule('TODO'), false],
  ['present and there', rule('^- a$', { must: 'present' }), true],
  ['present but not there', rule('^nothing$', { must: 'present' }), false],
  ['over several lines', rule('Notes\\n\\n- a', { must: 'present' }), true],
  ['with Unicode classes', rule('^\\p{Lu}\\p{Ll}+$', { must: 'present' }), true],
  ['in a pattern that is none with the u flag', rule('\\- [a\\-z]', { must: 'present' }), true],
  ['without regard to case', rule('(?i:todo)'), false],
])('%s', async (_, one, passes) => {
  await rig.write({ 'NOTES.md': '# Notes\n\n- a\n- b TODO\nÜber\n' });
  const verdict = await rig.verify({ deliverables: ['NOTES.md'], rules: [one], stdout: 'FIXME' });
  expect(verdict.outcome).toBe(passes ? 'pass' : 'fail');
  expect(codesOf(verdict)).toEqual(passes ? [] : ['hard rule-violated']);
});

test('a violation names files, lines and what stands there', async () => {
  await rig.write({ 'a.md': 'x\nTODO one\n', 'b.md': 'TODO two\ny TODO three\n' });
  const verdict = await rig.verify({ rules: [rule('TODO', { in: ['*.md'] })] });
  expect(verdict.issues[0]?.message).toBe(
    'The pattern /TODO/ must not occur, but it does in a.md and b.md; remove it.',
  );
  expect(verdict.issues[0]?.details).toBe('a.md line 2: TODO one\nb.md line 1: TODO two\nb.md line 2: y TODO three');
});

test('globs see hidden files and folders, but neither .git nor node_modules', async () => {
  await rig.write({
    '.env': 'BAD',
    '.config/x': 'BAD',
    '.git/config': 'BAD',
    'a/node_modules/x/y.js': 'BAD',
    'a/b.js': 'BAD',
  });
  const { issues } = await rig.verify({ rules: [rule('BAD', { in: ['**'] })] });
  expect(issues[0]?.message).toContain('in .config/x, .env and a/b.js');
  expect((await rig.verify({ rules: [rule('BAD', { in: ['a'] })] })).issues[0]?.message).toContain('in a/b.js');
});

test('without globs the deliverables are looked at, else stdout', async () => {
  await rig.write({ 'a.md': 'clean', 'other.md': 'BAD' });
  const rules = [rule('BAD')];
  expect((await rig.verify({ deliverables: ['a.md'], rules, stdout: 'BAD' })).outcome).toBe('pass');
  expect((await rig.verify({ rules, stdout: 'BAD' })).issues[0]?.message).toContain('in stdout');
  expect((await rig.verify({ rules, stdout: 'good' })).outcome).toBe('pass');
});

test('must be present, but no file matches: a violation', async () => {
  const verdict = await rig.verify({ rules: [rule('x', { in: ['*.md'], must: 'present' })] });
  expect(verdict.issues[0]?.message).toBe(
    'The pattern /x/ must occur, but there is no text file to look at in *.md; add it.',
  );
});

test('must be present: one of the files is enough', async () => {
  await rig.write({ 'a.md': 'no', 'b.md': 'yes' });
  expect((await rig.verify({ rules: [rule('yes', { in: ['*.md'], must: 'present' })] })).outcome).toBe('pass');
});

test('an advisory rule is a warning', async () => {
  const verdict = await rig.verify({ rules: [rule('done', { severity: 'advisory' })] });
  expect(verdict.outcome).toBe('pass-with-warnings');
});

test('nothing outside the workspace is read, by symlink or by glob', async () => {
  await writeFile(join(rig.base, 'outer', 'secret.md'), 'BAD');
  await symlink(join(rig.base, 'outer', 'secret.md'), rig.path('link.md'));
  await symlink(join(rig.base, 'outer'), rig.path('folder'));
  await rig.write({ 'a.md': 'clean' });
  await symlink('/', rig.path('disk'));
  await symlink('.', rig.path('loop'));
  await symlink('nowhere.md', rig.path('dangling.md'));
  const globs = ['**/*.md', '../*.md', 'folder/*.md', join(rig.base, 'outer', '*.md'), 'a/../../*.md', '{..,a}/*.md'];
  expect((await rig.verify({ rules: [rule('BAD', { in: globs })] })).outcome).toBe('pass');
  expect((await rig.verify({ rules: [rule('clean', { in: ['**'] })] })).issues[0]?.message).toContain('in a.md;');
});

test('a symlink does not hide a file of the workspace from a rule', async () => {
  await rig.write({ 'hidden/text.txt': 'BAD' });
  await symlink('hidden/text.txt', rig.path('NOTES.md'));
  expect((await rig.verify({ rules: [rule('BAD', { in: ['*.md'] })] })).issues[0]?.message).toContain('in NOTES.md;');
});

test('a pattern that explodes is stopped, said to be, and the rules after it still hold', async () => {
  await rig.write({ 'a.md': `${'a'.repeat(50)}b\nTODO\n` });
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 20);
  const verdict = await rig.verify(
    { deliverables: ['a.md'], rules: [rule('^(a+)+$'), rule('TODO')] },
    { inspectTimeout: 1_000 },
  );
  clearInterval(timer);
  expect(verdict.issues.map((issue) => issue.message)).toEqual([
    'The pattern /^(a+)+$/ could not be checked: it took too long on a.md; simplify it.',
    'The pattern /TODO/ must not occur, but it does in a.md; remove it.',
  ]);
  // The worker's own thread went on: heartbeats would have been sent.
  expect(ticks).toBeGreaterThan(5);
});

test('a pattern that is none cannot break the verification', async () => {
  const verdict = await rig.verify({ rules: [rule('(')] });
  expect(codesOf(verdict)).toEqual(['hard rule-violated']);
});

test('an inspector can be closed while it works, and closed again', async () => {
  const inspector = createTextInspector();
  const running = inspector.inspect({ kind: 'pattern', text: `${'a'.repeat(50)}b`, pattern: '^(a+)+$', most: 1 });
  setTimeout(() => void inspector.close(), 300);
  expect((await running).end).toBe('failed');
  await inspector.close();
});

test('a folder with more files than are looked at does not keep a hard rule', async () => {
  mkdirSync(rig.path('many'));
  for (let index = 0; index <= activityLimits.maxCheckedFiles; index += 1)
    writeFileSync(rig.path(`many/${String(index).padStart(5, '0')}`), 'x');
  const verdict = await rig.verify({ deliverables: ['many'], rules: [rule('BAD')], requiredSections: ['Changes'] });
  expect(codesOf(verdict)).toEqual(['advisory missing-sections', 'hard rule-violated']);
  const warned = await rig.verify({ deliverables: ['many'], rules: [rule('BAD', { severity: 'advisory' })] });
  expect(codesOf(warned)).toEqual(['advisory rule-violated']);
});

test('an inspector that is done leaves its thread to the next one', async () => {
  const job = { kind: 'pattern', text: 'a TODO', pattern: 'TODO', most: 1 } as const;
  const [first, second] = [createTextInspector(), createTextInspector()];
  const answers = await Promise.all([first.inspect(job), second.inspect(job)]);
  expect(answers).toEqual([
    { end: 'done', findings: ['line 1: a TODO'] },
    { end: 'done', findings: ['line 1: a TODO'] },
  ]);
  await first.close();
  const idle = takeIdleThread(inspectThread);
  expect(idle).toBeDefined();
  // Given back and used again: an answer shows that it was not ended.
  if (idle !== undefined) await giveIdleThread(inspectThread, idle);
  const third = createTextInspector();
  expect((await third.inspect(job)).end).toBe('done');
  await Promise.all([second.close(), third.close()]);
});
