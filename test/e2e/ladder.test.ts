// The ladder through the real server: which rung each attempt is, what its program receives, and when a person is asked.
import { describe, expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { failsWith, promptIn, runsIn, witness } from '../support/witness.ts';
import { told } from './typed-events.ts';

const rig = useRig();

/** What the default ladder means for a subtask of tier 1. */
const rungs: Record<number, { tier: number; thinking: boolean }> = {
  1: { tier: 1, thinking: false },
  2: { tier: 1, thinking: false },
  3: { tier: 2, thinking: false },
  4: { tier: 3, thinking: true },
};

/** The words of the failures that a prompt tells of, in their order. */
const failuresIn = (prompt: string): string[] =>
  [...prompt.matchAll(/<error_summary>the (\w+) broke/g)].map(([, word]) => word ?? '');

describe('the ladder', () => {
  test.each([
    { failures: ['pump', 'pump', 'pump', 'pump'], used: [1, 2, 3, 4] },
    { failures: ['pump', 'valve', 'pump', 'valve', 'pump', 'valve', 'pump'], used: [1, 2, 2, 3, 3, 4, 4] },
    { failures: ['pump', 'pump', 'valve', 'pump', 'pump'], used: [1, 2, 3, 3, 4] },
  ])('failures $failures use the rungs $used, then a person is asked', async ({ failures, used }) => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: failsWith(...failures) } }, { workspace }));
    const { decision } = await told(task, 'decision.opened');
    expect(decision).toMatchObject({ id: 'work-1', kind: 'escalation', subtask: 'work' });

    const attempts = used.map((_, index) => index + 1);
    expect(runsIn(workspace)).toEqual(
      used.map((rung, index) => ({
        subtask: 'work',
        attempt: index + 1,
        ...rungs[rung],
        key: `${task.id}/work/${index + 1}`,
      })),
    );
    const records = await task.attempts();
    expect(records.map(({ rung }) => rung)).toEqual(used);
    expect(records.every(({ type, outcome }) => type === 'tool-failed' && outcome === 'failed')).toBe(true);
    expect(new Set(records.map(({ signature }) => signature)).size).toBe(new Set(failures).size);

    expect(promptIn(workspace, 'work', 1)).not.toContain('<retry_context');
    for (const attempt of attempts.slice(1)) {
      const prompt = promptIn(workspace, 'work', attempt);
      expect(prompt.startsWith(`<retry_context attempt="${attempt}" max_attempts="8">`)).toBe(true);
      expect(failuresIn(prompt)).toEqual(failures.slice(0, attempt - 1).reverse());
      expect(prompt.indexOf('</retry_context>')).toBeLessThan(prompt.lastIndexOf('do work'));
    }
    expect(await task.status()).toMatchObject({
      state: 'waiting',
      subtasks: [{ id: 'work', state: 'waiting', attempts: used.length, waitingFor: 'work-1' }],
    });
  });

  test("a person's instruction comes first in the next prompt, on the rung that was reached, at most three times", async () => {
    const workspace = rig.workspace();
    const fails = failsWith('pump', 'pump', 'pump', 'pump', 'pump', 'pump', 'pump');
    const task = await rig.start(shellPlan({ work: { sh: fails } }, { workspace }));
    await eventOf(task, decisionOpened('work-1'));
    await task.decide({ decisionId: 'work-1', option: 'fix', instruction: 'use the <other> pump', by: 'ana' });
    await eventOf(task, decisionOpened('work-2'));

    const prompt = promptIn(workspace, 'work', 5);
    expect(prompt.startsWith('<guidance authority="person">')).toBe(true);
    expect(prompt).toContain('use the &lt;other&gt; pump');
    expect(prompt.indexOf('</guidance>')).toBeLessThan(prompt.indexOf('<retry_context attempt="5" max_attempts="11">'));
    const after = (await task.attempts()).slice(4);
    expect(after.map(({ rung, strategy }) => `${rung} ${strategy}`)).toEqual([
      '4 guidance',
      '4 feedback',
      '4 feedback',
    ]);

    await task.decide({ decisionId: 'work-2', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace).at(-1)).toMatchObject({ attempt: 8, tier: 3, thinking: true });
    expect(promptIn(workspace, 'work', 8)).toContain('use the &lt;other&gt; pump');
  });

  test('maxAttempts bounds the whole and the question says so', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: failsWith('pump', 'valve', 'hose'), maxAttempts: 2 } }, { workspace }),
    );
    const { decision } = await told(task, 'decision.opened');
    expect(decision).toMatchObject({ problem: expect.stringContaining('All its attempts are used.') as string });
    expect(runsIn(workspace)).toHaveLength(2);
    await task.decide({ decisionId: 'work-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace)).toHaveLength(4);
  });

  test('recovery tries of a failure type make it climb earlier', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { work: { sh: failsWith('pump', 'valve', 'hose'), recovery: { 'tool-failed': { tries: 1 } } } },
        { workspace, recovery: { 'tool-failed': { tries: 3 } } },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts()).map(({ rung }) => rung)).toEqual([1, 3, 4, 4]);
  });

  test('a rung that adds nothing is left out for a subtask of the highest tier, and keeps its number', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: failsWith('pump', 'pump', 'pump'), tier: 3 } }, { workspace }),
    );
    await told(task, 'decision.opened');
    expect((await task.attempts()).map(({ rung, tier }) => `${rung}/${tier}`)).toEqual(['1/3', '2/3', '4/3']);
  });

  test("a subtask's own ladder stands above the plan's, with its tiers and time limits", async () => {
    const workspace = rig.workspace();
    const sleeps = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] || sleep 20; echo broke >&2; exit 1`;
    const ladder = [{ tier: 1 as const }, { tier: 3 as const, thinking: true, timeout: '300ms' }, { person: true }];
    const task = await rig.start(shellPlan({ work: { sh: sleeps, ladder } }, { workspace }));
    await told(task, 'decision.opened');
    const records = await task.attempts();
    expect(records.map(({ rung, type }) => `${rung} ${type ?? ''}`)).toEqual([
      '1 tool-failed',
      '2 timeout',
      '2 timeout',
    ]);
    expect(runsIn(workspace).at(-1)).toMatchObject({ tier: 3, thinking: true });
  });
});
