// What each kind of failure leads to: asked at once, absorbed by the rung's retry policy, waited out, or fed back.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, linesOf, shellPlan, useRig } from '../../support/rig.ts';
import { failsWith, promptIn, runsIn, witness } from '../../support/witness.ts';

const rig = useRig();
const once = (first: string): string => `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { ${first}; }; echo done`;
const quickRetry = (maximumAttempts: number) => ({
  initialInterval: '50ms',
  backoff: 1,
  maximumInterval: '50ms',
  maximumAttempts,
});

describe('never-retry', () => {
  test.each([
    { exit: 77, type: 'permission' },
    { exit: 78, type: 'auth' },
  ])('exit $exit ($type) asks a person after one run and offers to name the credentials', async ({ exit, type }) => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: once(`echo "no key for the shop" >&2; exit ${exit}`) } }, { workspace }),
    );
    const { decision } = await eventOf(task, decisionOpened());
    expect(runsIn(workspace)).toHaveLength(1);
    expect(await task.attempts()).toMatchObject([{ type, category: 'never-retry', outcome: 'failed' }]);
    expect(decision.options.map(({ id }) => id)).toEqual(['retry', 'fix', 'provide-credentials', 'skip', 'abort']);
    await task.decide({ decisionId: 'work-1', option: 'provide-credentials', value: 'in $SHOP_KEY' });
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'work', 2)).toContain('The credentials are available now: in $SHOP_KEY');
    expect((await task.attempts())[1]).toMatchObject({ rung: 1, strategy: 'guidance' });
  });

  test('a deliverable that leads outside the workspace through a link is a matter of safety', async () => {
    const workspace = rig.workspace();
    const outside = rig.workspace();
    const sh = `${witness}; ln -s ${outside} out; echo secret > out/file.txt`;
    const task = await rig.start(shellPlan({ work: { sh, deliverables: ['out/file.txt'] } }, { workspace }));
    await eventOf(task, decisionOpened());
    expect(runsIn(workspace)).toHaveLength(1);
    expect(await task.attempts()).toMatchObject([{ type: 'safety', category: 'never-retry' }]);
  });
});

describe('transient trouble (exit 75)', () => {
  test('is absorbed by the retry policy of the rung: one attempt, the same key each time', async () => {
    const workspace = rig.workspace();
    const sh = `${witness}; [ $(wc -l < runs.log) -gt 3 ] || exit 75; echo done`;
    const task = await rig.start(
      shellPlan({ work: { sh } }, { workspace, ladder: [{ tier: 'assigned', retry: quickRetry(10) }] }),
    );
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace)).toEqual(
      Array.from({ length: 4 }, () => ({
        subtask: 'work',
        attempt: 1,
        tier: 1,
        thinking: false,
        key: `${task.id}/work/1`,
      })),
    );
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0 }]);
    expect((await task.events()).filter(({ type }) => type === 'attempt.rerun')).toEqual([]);
  });

  test('asks a person when the policy is spent, and does not climb', async () => {
    const workspace = rig.workspace();
    const ladder = [{ tier: 'assigned' as const, retry: quickRetry(3) }, { tier: 'next' as const }, { person: true }];
    const task = await rig.start(
      shellPlan({ work: { sh: once('echo "try later" >&2; exit 75') } }, { workspace, ladder }),
    );
    await eventOf(task, decisionOpened());
    expect(runsIn(workspace)).toHaveLength(3);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, type: 'overloaded', category: 'transient', rung: 1 }]);
    await task.decide({ decisionId: 'work-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts())[1]).toMatchObject({ attempt: 2, rung: 1 });
  });
});

describe('transient trouble that the words show (exit 1)', () => {
  test('a 429 with Retry-After three times and then success is one attempt; the waits are as asked for', async () => {
    const workspace = rig.workspace();
    const limited = 'echo "HTTP/1.1 429 Too Many Requests" >&2; echo "Retry-After: 1" >&2; exit 1';
    const sh = `${witness}; date +%s%3N >> times.log; [ $(wc -l < runs.log) -gt 3 ] || { ${limited}; }; echo done`;
    // The policy alone would wait a minute: only the header makes it soon.
    const retry = { initialInterval: '1m', backoff: 1, maximumInterval: '1m', maximumAttempts: 10 };
    const task = await rig.start(shellPlan({ work: { sh } }, { workspace, ladder: [{ tier: 'assigned', retry }] }));
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace).map(({ attempt, key }) => `${attempt} ${key}`)).toEqual(
      Array.from({ length: 4 }, () => `1 ${task.id}/work/1`),
    );
    const times = linesOf(join(workspace, 'times.log')).map(Number);
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(950);
    }
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, type: null }]);
    expect((await task.events()).filter(({ type }) => type === 'attempt.rerun')).toEqual([]);
  });

  test('asks a person in a plain sentence when the policy is spent, with the true type and the last output', async () => {
    const workspace = rig.workspace();
    const ladder = [{ tier: 'assigned' as const, retry: quickRetry(2) }, { tier: 'next' as const }, { person: true }];
    const limited = 'echo "try $(wc -l < runs.log)"; echo "API Error: 429 rate limited, request 8fk2x9" >&2; exit 1';
    const task = await rig.start(shellPlan({ work: { sh: once(limited) } }, { workspace, ladder }));
    const { decision } = await eventOf(task, decisionOpened());
    expect(runsIn(workspace)).toHaveLength(2);
    expect(decision.problem).toContain('work depends on a service that is still limiting requests.');
    expect(decision.recommendation).toBe('retry');
    const [record] = await task.attempts();
    expect(record).toMatchObject({
      attempt: 1,
      rung: 1,
      type: 'rate-limited',
      category: 'transient',
      rootCause: 'A service allows no more requests for now.',
      details: expect.stringContaining('API Error: 429') as string,
    });
    expect(record?.signature).toMatch(/^rate-limited-[0-9a-f]{16}$/);
    const output = new FileStore(rig.storeFolder).path({ sha256: record?.outputRef ?? '', bytes: 0 });
    expect(linesOf(output)).toContain('try 2');
    await task.decide({ decisionId: 'work-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts())[1]).toMatchObject({ attempt: 2, rung: 1 });
  });
});

describe('refusals that the words show (exit 1)', () => {
  test('an auth error asks a person after exactly one run', async () => {
    const workspace = rig.workspace();
    const refused = `echo 'API Error: 401 {"type":"error","error":{"type":"authentication_error"}}'; exit 1`;
    const task = await rig.start(shellPlan({ work: { sh: once(refused) } }, { workspace }));
    const { decision } = await eventOf(task, decisionOpened());
    expect(runsIn(workspace)).toHaveLength(1);
    expect(decision.recommendation).toBe('provide-credentials');
    expect(await task.attempts()).toMatchObject([
      {
        type: 'auth',
        category: 'never-retry',
        rootCause: 'The program was refused by a service: the credentials are missing or wrong.',
      },
    ]);
  });

  test('a program whose tests mention them only climbs', async () => {
    const workspace = rig.workspace();
    const sh = once('echo "not ok 1 - handles 401 Unauthorized and 429 Too Many Requests" >&2; exit 1');
    const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
    expect(await endOf(task)).toBe('completed');
    expect(await task.attempts()).toMatchObject([
      { type: 'tool-failed', rung: 1 },
      { outcome: 'passed', rung: 2 },
    ]);
  });
});

describe('recovery overrides', () => {
  test('change the wait, the time limit and the words for the next attempt', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          work: {
            sh: `${witness}; [ $HEDDLE_ATTEMPT -gt 2 ] || sleep 30; echo done`,
            timeout: '500ms',
            recovery: { timeout: { emphasis: 'Use the cache.' } },
          },
        },
        { workspace, recovery: { timeout: { wait: '100ms', timeoutFactor: 3 } } },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const records = await task.attempts();
    expect(records.map(({ summary }) => summary).slice(0, 2)).toEqual([
      'It did not finish within 0.5 s.',
      'It did not finish within 1.5 s.',
    ]);
    const [failed] = (await task.events()).filter(({ type }) => type === 'attempt.failed');
    expect(failed?.text).toContain('in 0.1 s');
    expect(promptIn(workspace, 'work', 2)).toContain('<suggested_fix>Use the cache.</suggested_fix>');
  });
});

describe('a time limit', () => {
  test('is a timeout, and the next one is half as long again', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { work: { sh: `${witness}; [ $HEDDLE_ATTEMPT -gt 2 ] || sleep 30; echo done`, timeout: '1s' } },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const records = await task.attempts();
    expect(records.map(({ type, rung }) => `${type ?? 'passed'} ${rung}`)).toEqual([
      'timeout 1',
      'timeout 2',
      'passed 3',
    ]);
    expect(records[0]?.summary).toBe('It did not finish within 1 s.');
    expect(records[1]?.summary).toBe('It did not finish within 1.5 s.');
    expect(records[0]?.signature).toBe(records[1]?.signature);
    const failed = (await task.events()).filter(({ type }) => type === 'attempt.failed');
    expect(failed[0]?.text).toContain('in 1.5 s');
    expect(promptIn(workspace, 'work', 2)).toContain('in smaller steps');
  });

  test('exit 124 is a timeout too', async () => {
    const task = await rig.start(shellPlan({ work: { sh: once('exit 124') } }));
    expect(await endOf(task)).toBe('completed');
    expect(await task.attempts()).toMatchObject([{ type: 'timeout' }, { outcome: 'passed' }]);
  });
});

describe('the completion contract is believed', () => {
  test('failed is a failed attempt although the program exits with 0', async () => {
    const workspace = rig.workspace();
    const said = `echo '{"status":"failed","notes":"the tests do not compile","costUsd":0.25,"tokens":7}'; exit 0`;
    const task = await rig.start(shellPlan({ work: { sh: once(said) } }, { workspace }));
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts())[0]).toMatchObject({
      outcome: 'failed',
      summary: 'the tests do not compile',
      costUsd: 0.25,
      tokens: 7,
    });
    expect(promptIn(workspace, 'work', 2)).toContain('<error_summary>the tests do not compile</error_summary>');
    expect((await task.status()).budget).toMatchObject({ costUsd: { used: 0.25 }, tokens: { used: 7 } });
  });

  test('blocked asks at once with the reason, and says how much can go on', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          work: { sh: `echo '{"status":"blocked","notes":"the two requirements contradict each other"}'` },
          behind: { sh: 'echo done', dependsOn: ['work'] },
          other: { sh: 'sleep 0.2; echo done' },
        },
        { workspace },
      ),
    );
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision.problem).toContain('the two requirements contradict each other');
    const [blocked] = eventsOf(await task.events(), 'subtask.blocked');
    expect(blocked?.independent).toBeLessThanOrEqual(1);
    expect(blocked).toMatchObject({ subtask: 'work', reason: 'the two requirements contradict each other' });
    expect((await task.attempts()).filter(({ subtask }) => subtask === 'work')).toHaveLength(1);
  });

  test('partial is a quality failure, unless the subtask allows it', async () => {
    const workspace = rig.workspace();
    const said = `echo '{"status":"partial","notes":"two of three chapters"}'; exit 0`;
    const task = await rig.start(
      shellPlan(
        {
          strict: { sh: once(said) },
          lenient: { sh: once(said), allowPartial: true },
          behind: { sh: `${witness}; echo done`, dependsOn: ['lenient'] },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const records = await task.attempts();
    expect(records.filter(({ subtask }) => subtask === 'strict')).toMatchObject([
      { outcome: 'failed', category: 'quality', verdict: 'fail' },
      { outcome: 'passed', verdict: 'pass' },
    ]);
    expect(promptIn(workspace, 'strict', 2)).toContain('two of three chapters');
    expect(records.filter(({ subtask }) => subtask === 'lenient')).toMatchObject([{ verdict: 'partial-verified' }]);
    const { subtasks } = await task.status();
    expect(subtasks.find(({ id }) => id === 'lenient')).toMatchObject({
      state: 'completed',
      verdict: 'partial-verified',
    });
    expect(promptIn(workspace, 'behind')).toContain('<dependency id="lenient" status="partial">');
  });
});

describe('feedback of the checks', () => {
  test('missing sections are named in the next prompt', async () => {
    const workspace = rig.workspace();
    const sh = `${witness}; printf '# Changes\\n\\nall\\n' > NOTES.md; [ $HEDDLE_ATTEMPT = 1 ] || printf '# Upgrade\\n\\nnone\\n' >> NOTES.md`;
    const task = await rig.start(
      shellPlan({ work: { sh, deliverables: ['NOTES.md'], requiredSections: ['Changes', 'Upgrade'] } }, { workspace }),
    );
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts())[0]).toMatchObject({
      type: 'missing-sections',
      verdict: 'fail',
      filesAffected: expect.arrayContaining([{ path: 'NOTES.md', state: 'created', lines: 3 }]) as unknown,
    });
    const prompt = promptIn(workspace, 'work', 2);
    expect(prompt).toContain('<type>missing-sections</type>');
    expect(prompt).toMatch(/<error_summary>.*Upgrade.*<\/error_summary>/);
    expect(prompt).toContain('NOTES.md (created, 3 lines)');
    expect(prompt).toMatch(/<suggested_fix>.*: Upgrade\.<\/suggested_fix>/);
  });

  test('what a verify command printed reaches the next prompt, and the records keep its exit code', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          work: {
            sh: `${witness}; echo $HEDDLE_ATTEMPT > count.txt`,
            deliverables: ['count.txt'],
            verify: ['grep -q 2 count.txt || { echo "expected two, found $(cat count.txt)" >&2; exit 3; }'],
          },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'work', 2)).toContain('expected two, found 1');
    const records = await task.attempts();
    expect(records.map(({ verify }) => verify[0]?.exit)).toEqual([3, 0]);
    expect(records[0]?.verify[0]?.summary).toContain('expected two, found 1');
    expect(records[0]?.type).toBe('verification-failed');
    expect(linesOf(join(workspace, 'count.txt'))).toEqual(['2']);
  });

  test('nothing printed where output was the result is a failure with a short wait', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: once('exit 0') } }, { workspace }));
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts())[0]).toMatchObject({ type: 'empty-output' });
    expect(promptIn(workspace, 'work', 2)).toContain(
      '<suggested_fix>Print the result on standard output; the previous attempt printed nothing. Make it smaller',
    );
    const [failed] = (await task.events()).filter(({ type }) => type === 'attempt.failed');
    expect(failed?.text).toContain('in 1.2 s');
  });

  test('the same failure with other numbers in it has the same signature', async () => {
    const sh = `${witness}; [ $HEDDLE_ATTEMPT -gt 2 ] && { echo done; exit; }; echo "line 4$HEDDLE_ATTEMPT of /tmp/x$HEDDLE_ATTEMPT.c broke" >&2; exit 1`;
    const task = await rig.start(shellPlan({ work: { sh } }));
    expect(await endOf(task)).toBe('completed');
    const [first, second] = await task.attempts();
    expect(first?.signature).toBe(second?.signature);
    expect((await task.report()).failuresByType).toEqual({ 'tool-failed': 2 });
  });
});

test('a failure of one subtask is never told to another', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(
    shellPlan({ a: { sh: failsWith('pump') }, b: { sh: failsWith('valve') } }, { workspace }),
  );
  expect(await endOf(task)).toBe('completed');
  expect(promptIn(workspace, 'a', 2)).not.toContain('valve');
  expect(promptIn(workspace, 'b', 2)).not.toContain('pump');
});
