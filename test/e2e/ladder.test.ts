// The ladder through the real server: which rung each attempt is, what its program receives, and when a person is asked. One task plays
// all of it, each in a subtask of its own; the tests look at what became of it.
import { beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from '../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../support/rig.ts';
import { failsWith, witness } from '../support/witness.ts';
import { read, start, type Course } from './failures/support.ts';

const rig = useRig();

/** The default ladder for a subtask of tier 1. */
const rungs: Record<number, { tier: number; thinking: boolean }> = {
  1: { tier: 1, thinking: false },
  2: { tier: 1, thinking: false },
  3: { tier: 2, thinking: false },
  4: { tier: 3, thinking: true },
};

/** The words of the failures that a prompt tells of, in their order. */
const failuresIn = (prompt: string): string[] =>
  [...prompt.matchAll(/<error_summary>the (\w+) broke/g)].map(([, word]) => word ?? '');

const climbs = [
  { id: 'same', failures: ['pump', 'pump', 'pump', 'pump'], used: [1, 2, 3, 4] },
  { id: 'in-turn', failures: ['pump', 'valve', 'pump', 'valve', 'pump', 'valve', 'pump'], used: [1, 2, 2, 3, 3, 4, 4] },
  { id: 'one-other', failures: ['pump', 'pump', 'valve', 'pump', 'pump'], used: [1, 2, 3, 3, 4] },
];

describe('the ladder', () => {
  /** As it stands when all have asked, and as it ended. */
  let asked: Course;
  let ended: Course;
  const problemOf = (subtask: string): string | undefined =>
    eventsOf(asked.events, 'decision.opened', subtask)[0]?.decision.problem;

  beforeAll(async () => {
    const sleeps = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] || sleep 20; echo broke >&2; exit 1`;
    const ladder = [{ tier: 1 as const }, { tier: 3 as const, thinking: true, timeout: '300ms' }, { person: true }];
    const begun = await start(rig, {
      ...Object.fromEntries(climbs.map(({ id, failures }) => [id, { sh: failsWith(...failures) }])),
      guided: { sh: failsWith(...Array<string>(7).fill('pump')) },
      bounded: { sh: failsWith('pump', 'valve', 'hose'), maxAttempts: 2 },
      highest: { sh: failsWith('pump', 'pump', 'pump'), tier: 3 },
      own: { sh: sleeps, ladder },
    });
    const { task } = begun;
    await eventOf(task, decisionOpened('guided-1'));
    const instruction = 'use the <other> pump';
    await task.decide({ decisionId: 'guided-1', option: 'fix', instruction, by: 'ana' });
    const asking = [...climbs.map(({ id }) => `${id}-1`), 'guided-2', 'bounded-1', 'highest-1', 'own-1'];
    for (const id of asking) await eventOf(task, decisionOpened(id));
    asked = await read(begun);
    for (const id of asking) {
      const option = id === 'own-1' ? 'skip' : 'retry';
      await task.decide({ decisionId: id, option });
    }
    expect(await endOf(task)).toBe('completed');
    ended = await read(begun);
  });

  test.each(climbs)('failures $failures use the rungs $used, then a person is asked', ({ id, failures, used }) => {
    const [opened, ...others] = eventsOf(asked.events, 'decision.opened', id);
    expect(others).toEqual([]);
    expect(opened?.decision).toMatchObject({ id: `${id}-1`, kind: 'escalation', subtask: id });
    const attempts = used.map((_, index) => index + 1);
    expect(asked.runsOf(id).slice(0, used.length)).toEqual(
      used.map((rung, index) => ({
        subtask: id,
        attempt: index + 1,
        ...rungs[rung],
        key: `${asked.task.id}/${id}/${index + 1}`,
      })),
    );
    const records = asked.attemptsOf(id);
    expect(records.map(({ rung }) => rung)).toEqual(used);
    expect(records.every(({ type, outcome }) => type === 'tool-failed' && outcome === 'failed')).toBe(true);
    expect(new Set(records.map(({ signature }) => signature)).size).toBe(new Set(failures).size);

    expect(asked.promptOf(id, 1)).not.toContain('<retry_context');
    for (const attempt of attempts.slice(1)) {
      const prompt = asked.promptOf(id, attempt);
      expect(prompt.startsWith(`<retry_context attempt="${attempt}" max_attempts="8">`)).toBe(true);
      expect(failuresIn(prompt)).toEqual(failures.slice(0, attempt - 1).reverse());
      expect(prompt.indexOf('</retry_context>')).toBeLessThan(prompt.lastIndexOf(`do ${id}`));
    }
    expect(asked.status.subtasks).toContainEqual(
      expect.objectContaining({ id, state: 'waiting', attempts: used.length, waitingFor: `${id}-1` }),
    );
  });

  test("a person's instruction comes first in the next prompt, on the rung that was reached, at most three times", () => {
    const prompt = ended.promptOf('guided', 5);
    expect(prompt.startsWith('<guidance authority="person">')).toBe(true);
    expect(prompt).toContain('use the &lt;other&gt; pump');
    expect(prompt.indexOf('</guidance>')).toBeLessThan(prompt.indexOf('<retry_context attempt="5" max_attempts="11">'));
    expect(
      asked
        .attemptsOf('guided')
        .slice(4)
        .map(({ rung, strategy }) => `${rung} ${strategy}`),
    ).toEqual(['4 guidance', '4 feedback', '4 feedback']);
    expect(ended.runsOf('guided').at(-1)).toMatchObject({ attempt: 8, tier: 3, thinking: true });
    expect(ended.promptOf('guided', 8)).toContain('use the &lt;other&gt; pump');
  });

  test('maxAttempts bounds the whole and the question says so', () => {
    expect(problemOf('bounded')).toContain('All its attempts are used.');
    expect(asked.attemptsOf('bounded')).toHaveLength(2);
    expect(ended.attemptsOf('bounded')).toHaveLength(4);
    expect(ended.runsOf('bounded')).toHaveLength(4);
  });

  test('recovery tries of a failure type make it climb earlier', async () => {
    const { task } = await start(
      rig,
      { work: { sh: failsWith('pump', 'valve', 'hose'), recovery: { 'tool-failed': { tries: 1 } } } },
      { recovery: { 'tool-failed': { tries: 3 } } },
    );
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts()).map(({ rung }) => rung)).toEqual([1, 3, 4, 4]);
  });

  test('a rung that adds nothing is left out for a subtask of the highest tier, and keeps its number', () => {
    expect(asked.attemptsOf('highest').map(({ rung, tier }) => `${rung}/${tier}`)).toEqual(['1/3', '2/3', '4/3']);
  });

  test("a subtask's own ladder stands above the plan's, with its tiers and time limits", () => {
    expect(asked.attemptsOf('own').map(({ rung, type }) => `${rung} ${type ?? ''}`)).toEqual([
      '1 tool-failed',
      '2 timeout',
      '2 timeout',
    ]);
    expect(asked.runsOf('own').at(-1)).toMatchObject({ tier: 3, thinking: true });
  });
});
