// A file that could not be looked at is no proof: unreadable folders, output that was not kept, and lists above their limit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { mayHold } from '../../../activities/verify/files/may-hold.ts';
import type { Verdict } from '../../../domain/types/attempt.ts';
import type { Rule } from '../../../domain/types/subtask.ts';
import { codesOf, VerifyRig, type Asked } from './rig.ts';

let rig: VerifyRig;
beforeEach(async () => {
  rig = await VerifyRig.make();
});
afterEach(async () => {
  await chmod(rig.path('locked'), 0o700).catch(() => undefined);
  await rig.remove();
});

/** One byte more than is checked. */
const large = 'x'.repeat(activityLimits.maxCheckedBytes + 1);
const hidden: Rule = { pattern: 'BAD', in: [], must: 'absent', severity: 'hard' };

/** For the superuser no folder is locked: the checks run as somebody else then. */
async function verifyAsAnybody(asked: Asked): Promise<Pick<Verdict, 'outcome' | 'issues'>> {
  if (process.getuid?.() !== 0) return rig.verify(asked);
  await chmod(rig.base, 0o755);
  await mkdir(rig.home, { recursive: true });
  for (const folder of [rig.home, join(rig.base, 'outer')]) await chmod(folder, 0o777);
  const script = join(rig.base, 'verify.ts');
  const here = JSON.stringify(join(import.meta.dirname, 'verify-as.ts'));
  await writeFile(script, `import { verifyAs } from ${here}; await verifyAs(process.argv[2], process.argv[3]);`);
  const input = JSON.stringify(asked);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, rig.base, input], {
    uid: 65_534,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  await once(child, 'close');
  return JSON.parse(printed) as Verdict;
}

async function lockedFolder(): Promise<void> {
  await rig.write({ 'clean.md': 'fine', 'locked/note.md': 'BAD' });
  await chmod(rig.path('locked'), 0);
}

test.each(['**/*.md', 'locked/*.md', 'locked'])(
  'a pattern that must be absent from %s is not kept by a locked folder',
  async (glob) => {
    await lockedFolder();
    const verdict = await verifyAsAnybody({ rules: [{ ...hidden, in: [glob] }] });
    expect(codesOf(verdict as Verdict)).toEqual(['hard rule-violated']);
    expect(verdict.issues[0]?.message).toContain('was not looked for in locked');
  },
);

test('a locked folder where no file of a rule can be does not matter', async () => {
  await lockedFolder();
  expect((await verifyAsAnybody({ rules: [{ ...hidden, in: ['*.md'] }] })).outcome).toBe('pass');
});

test('a deliverable folder that cannot be read is said to be, not called empty', async () => {
  await lockedFolder();
  const verdict = await verifyAsAnybody({ deliverables: ['locked'], rules: [hidden] });
  expect(codesOf(verdict as Verdict)).toEqual(['hard deliverable-missing', 'hard rule-violated']);
  expect(verdict.issues[0]?.message).toBe('The folder locked cannot be read; make it readable.');
});

test.each([
  ['locked', '**/*.md', true],
  ['locked', 'locked/**', true],
  ['locked', 'locked', true],
  ['locked', './locked/deep/*.md', true],
  ['locked', '*.md', false],
  ['locked', 'src/**', false],
  ['src/deep', 'src', true],
  ['src/deep', 'src/*', false],
  ['src/deep', 'src/*.md', false],
  ['src/deep', '{src,lib}/**', true],
  ['src', 'sr?/x', true],
  ['', '*.md', true],
  ['locked', '!locked/**', false],
])('in %s, files of %s may lie: %s', (folder, pattern, may) => {
  expect(mayHold(folder, pattern)).toBe(may);
});

test('output that was printed and not kept is not output', async () => {
  const input = await rig.input({});
  const execution = { ...input.execution };
  delete execution.stdout;
  const verdict = await rig.verifyInput({ ...input, execution: { ...execution, stdoutBytes: 5 } });
  expect(codesOf(verdict)).toEqual(['hard empty-output']);
  expect(verdict.issues[0]?.message).toContain('could not be kept');
  const printed = { ...execution, stdoutBytes: 5, contract: { status: 'success' as const, notes: 'It is 42.' } };
  expect((await rig.verifyInput({ ...input, execution: printed })).outcome).toBe('unchecked');
});

test('a diff that was printed and not kept is no diff', async () => {
  const input = await rig.input({ diff: true, verify: ['true'] });
  const execution = { ...input.execution };
  delete execution.stdout;
  const verdict = await rig.verifyInput({ ...input, execution: { ...execution, stdoutBytes: 5 } });
  expect(verdict.issues[0]).toMatchObject({ code: 'diff-invalid', message: expect.stringContaining('kept') as string });
});

test.each([
  ['enforce', 'hard'],
  ['warn', 'advisory'],
] as const)('a contract that names more files than are looked at: %s makes it %s', async (contractCheck, severity) => {
  await rig.write({ a: 'x' });
  const deliverablesTouched = new Array<string>(limits.contractDeliverables).fill('a');
  const verdict = await rig.verify({ contractCheck, contract: { status: 'success', deliverablesTouched } });
  expect(codesOf(verdict)).toEqual([`${severity} contract-mismatch`]);
  expect(verdict.issues[0]?.message).toContain('only that many were checked');
});

test.each<[string, Asked, Record<string, string | Uint8Array>]>([
  ['a rule for files of which there is none', { rules: [{ ...hidden, in: ['*.md'] }] }, {}],
  ['a rule for files that are no text', { rules: [{ ...hidden, in: ['*.bin'] }] }, { 'a.bin': new Uint8Array(9) }],
  [
    'an advisory rule for a file that is too large',
    { rules: [{ ...hidden, in: ['*.md'], severity: 'advisory' }] },
    { 'a.md': large },
  ],
  ['sections of an output that is too large', { requiredSections: ['Changes'], stdout: large }, {}],
])('%s has looked at nothing: the result is unchecked', async (_, asked, files) => {
  await rig.write(files);
  const { outcome, checks } = await rig.verify(asked);
  expect([outcome, checks.passed]).toEqual(['unchecked', 0]);
  // A file that another check looked at is checked.
  expect((await rig.verify({ ...asked, verify: ['true'] })).outcome).toMatch(/^pass/);
});

test('a rule that looked and found nothing is a check', async () => {
  await rig.write({ 'a.md': 'fine' });
  const verdict = await rig.verify({ rules: [{ ...hidden, in: ['*.md'] }] });
  expect(verdict).toMatchObject({ outcome: 'pass', checks: { passed: 1, total: 1 } });
});
