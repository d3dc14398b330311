import { symlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codesOf, VerifyRig } from './rig.ts';

// The program's own account, against what is there: its output, its claims, its `partial`.

let rig: VerifyRig;
beforeEach(async () => {
  rig = await VerifyRig.make();
});
afterEach(() => rig.remove());

describe('empty output', () => {
  test.each(['', ' \n\t\r\n'])('%j is a failure where the output was the result', async (stdout) => {
    const verdict = await rig.verify({ stdout });
    expect(codesOf(verdict)).toEqual(['hard empty-output']);
  });

  test('is none where files or commands were the result', async () => {
    await rig.write({ 'a.md': 'x' });
    expect((await rig.verify({ stdout: '', deliverables: ['a.md'] })).outcome).toBe('pass');
    expect((await rig.verify({ stdout: '', verify: ['true'] })).outcome).toBe('pass');
  });

  test('is none where a file changed since the attempt began: the result is unchecked', async () => {
    await rig.write({ 'old.md': 'x' });
    await sleep(20);
    const openedAt = Date.now();
    const nothing = await rig.verify({ stdout: '', openedAt });
    expect(codesOf(nothing)).toEqual(['hard empty-output']);
    expect(nothing.issues[0]?.message).toContain('no file of the workspace changed');
    await sleep(20);
    await rig.write({ 'sub/new.md': 'x' });
    expect(await rig.verify({ stdout: '', openedAt })).toMatchObject({ outcome: 'unchecked', issues: [] });
  });

  test('is a failure where a diff was asked for, whatever changed', async () => {
    const openedAt = Date.now() - 1_000;
    await rig.write({ 'new.md': 'x' });
    expect(codesOf(await rig.verify({ stdout: '', diff: true, openedAt }))).toEqual(['hard empty-output']);
  });

  test('a contract line alone is output, and so are its notes', async () => {
    expect((await rig.verify({ stdout: '{"status":"success"}\n', contract: { status: 'success' } })).outcome).toBe(
      'unchecked',
    );
    expect((await rig.verify({ stdout: '', contract: { status: 'success', notes: 'did it' } })).outcome).toBe(
      'unchecked',
    );
    expect((await rig.verify({ stdout: '', contract: { status: 'success', notes: ' ' } })).outcome).toBe('fail');
  });
});

describe('the completion contract against the files', () => {
  const touched = (...deliverablesTouched: string[]) => ({ status: 'success' as const, deliverablesTouched });

  test.each<['off' | 'warn' | 'enforce', string, string[]]>([
    ['off', 'unchecked', []],
    ['warn', 'unchecked', ['advisory contract-mismatch']],
    ['enforce', 'fail', ['hard contract-mismatch']],
  ])('%s', async (contractCheck, outcome, codes) => {
    const verdict = await rig.verify({ contractCheck, contract: touched('gone.md') });
    expect(verdict.outcome).toBe(outcome);
    expect(codesOf(verdict)).toEqual(codes);
  });

  test('every claim that does not hold is named', async () => {
    await rig.write({ 'same.md': 'x', 'changed.md': 'x', 'other.md': 'x' });
    await symlink(rig.base, rig.path('out'));
    const before = await rig.stamp('same.md', 'changed.md');
    await rig.write({ 'changed.md': 'y' });
    const verdict = await rig.verify({
      deliverables: ['same.md', 'changed.md'],
      before,
      contractCheck: 'enforce',
      contract: touched('./same.md', 'changed.md', 'other.md', 'gone.md', 'out/x', '../../etc', 'a\0b'),
    });
    expect(verdict.issues.map((issue) => issue.message)).toEqual([
      'The completion contract says that ./same.md was touched, but it is exactly as it was before; change it or do not claim it.',
      'The completion contract says that gone.md was touched, but it does not exist; write it, or do not claim it.',
      'The completion contract says that out/x was touched, but it leads outside the workspace; touch only files inside.',
      'The completion contract says that ../../etc was touched, but it leads outside the workspace; touch only files inside.',
      'The completion contract says that a b was touched, but it does not exist; write it, or do not claim it.',
    ]);
  });

  test('a claim is believed where nobody knows what was there before', async () => {
    await rig.write({ 'same.md': 'x' });
    const asked = { deliverables: ['same.md'], contractCheck: 'enforce' as const, contract: touched('same.md') };
    const before = await rig.stamp('same.md');
    const verdict = await rig.verify(asked);
    expect(verdict).toMatchObject({ outcome: 'pass', files: [{ path: 'same.md', state: 'created' }] });
    // Known again, and of another attempt's time.
    expect((await rig.verify({ ...asked, before })).outcome).toBe('fail');
    const later = { ...(await rig.input({ ...asked, before })), startedAt: 'later' };
    expect((await rig.verifyInput(later)).outcome).toBe('pass');
  });

  test('no contract, or one without claims, has nothing to match', async () => {
    expect((await rig.verify({ contractCheck: 'enforce' })).outcome).toBe('unchecked');
    expect((await rig.verify({ contractCheck: 'enforce', contract: { status: 'success' } })).outcome).toBe('unchecked');
  });
});

describe('partial', () => {
  const contract = { status: 'partial' as const, notes: 'two of three' };

  test('is a failure by default, with the notes as its details', async () => {
    const verdict = await rig.verify({ contract });
    expect(verdict.outcome).toBe('fail');
    expect(verdict.issues[0]).toMatchObject({ code: 'partial', severity: 'hard', details: 'two of three' });
  });

  test('is partial-verified where the plan allows it, warnings or not', async () => {
    expect((await rig.verify({ contract, allowPartial: true, verify: ['true'] })).outcome).toBe('partial-verified');
    const warned = await rig.verify({
      contract: { ...contract, deliverablesTouched: ['x'] },
      allowPartial: true,
      verify: ['true'],
      contractCheck: 'warn',
    });
    expect(warned.outcome).toBe('partial-verified');
    expect(warned.issues).toHaveLength(1);
  });

  test('never hides a failed check', async () => {
    expect((await rig.verify({ contract, allowPartial: true, verify: ['false'] })).outcome).toBe('fail');
  });
});

describe('a tool call that failed and was left behind', () => {
  const verifyWith = async (policy?: 'off' | 'enforce', left = true) => {
    await rig.write({ 'a.md': 'x' });
    const input = await rig.input({
      deliverables: ['a.md'],
      ...(policy === undefined ? {} : { toolFailures: policy }),
    });
    const failure = { tool: 'shell', calls: 2, last: 'npm test: 3 failed', ...(left ? { left: true as const } : {}) };
    return rig.verifyInput({ ...input, execution: { ...input.execution, toolFailures: [failure] } });
  };

  test('is a warning that names the tool', async () => {
    const verdict = await verifyWith();
    expect([verdict.outcome, codesOf(verdict)]).toEqual(['pass-with-warnings', ['advisory tool-failed']]);
    expect(verdict.issues[0]?.message).toContain('shell');
    expect(verdict.issues[0]?.details).toBe('npm test: 3 failed');
  });

  test('fails the attempt where the plan enforces it', async () => {
    const verdict = await verifyWith('enforce');
    expect([verdict.outcome, verdict.failure?.type, verdict.result]).toEqual(['fail', 'tool-failed', null]);
  });

  test('is nothing where the plan says so', async () => {
    expect((await verifyWith('off')).outcome).toBe('pass');
  });

  test('is nothing once the agent made up for it', async () => {
    expect((await verifyWith('enforce', false)).outcome).toBe('pass');
  });
});
