import { describe, expect, test } from 'vitest';
import {
  attemptsAfterAnswer,
  climbAfter,
  climbAfterAnswer,
  firstClimb,
  reduceLadder,
} from '../../../domain/recovery/ladder.ts';
import type { Climb, KnownFix, Ladder, NextStep } from '../../../domain/types/ladder.ts';
import type { Rung, Tier } from '../../../domain/types/subtask.ts';
import { defaultLadder, person, rung } from '../support-task.ts';

/* The table of the ladder row by row, then ladders of other shapes. */

interface Setting {
  rungs?: Rung[];
  tier?: Tier;
  maxAttempts?: number;
  tries?: Record<string, number>;
  fixes?: Record<string, KnownFix>;
}

interface Climbed {
  /** Number in the whole ladder, of each attempt. */
  rungs: number[];
  /** The rung of the attempt that would follow, or who decides. */
  then: number | 'person' | 'fail';
  last: NextStep | null;
  climb: Climb;
}

const answered = 'answer';

/** As the workflow does it: an attempt on the rung reached, its failure, the next rung; `answer` is a person's. */
function climbWith(script: readonly string[], setting: Setting = {}): Climbed {
  const ladder = reduceLadder(setting.rungs ?? defaultLadder, setting.tier ?? 1);
  let climb = firstClimb(setting.maxAttempts ?? 8);
  let last: NextStep | null = null;
  const rungs: number[] = [];
  for (const signature of script) {
    if (signature === answered) {
      expect(last?.kind).toBe('person');
      climb = climbAfterAnswer(climb);
      last = null;
      continue;
    }
    expect(last === null || last.kind === 'climb').toBe(true);
    rungs.push(rungAt(ladder, climb));
    climb = { ...climb, attempts: climb.attempts + 1 };
    const tries = setting.tries?.[signature];
    last = climbAfter(
      ladder,
      climb,
      { signature, ...(tries === undefined ? {} : { tries }) },
      setting.fixes?.[signature],
    );
    if (last.kind === 'climb') climb = last.climb;
  }
  return { rungs, then: last === null || last.kind === 'climb' ? rungAt(ladder, climb) : last.kind, last, climb };
}

function rungAt(ladder: Ladder, climb: Climb): number {
  const step = ladder.steps[climb.step];
  if (step === undefined) throw new Error(`no step ${climb.step}`);
  return step.rung;
}

const words = (text: string): string[] => text.split(' ');

describe('the table of the ladder', () => {
  const rows: [failures: string, rungs: number[], then: Climbed['then'], setting?: Setting][] = [
    ['A A A A', [1, 2, 3, 4], 'person'],
    ['A B A B A B A', [1, 2, 2, 3, 3, 4, 4], 'person'],
    ['A A B', [1, 2, 3], 3],
    ['A B C D E F G H', [1, 2, 2, 3, 3, 3, 4, 4], 'person'],
    ['A A A', [1, 2, 4], 'person', { tier: 3 }],
    ['A', [1], 3, { fixes: { A: { rung: 3, hint: 'use the other key' } } }],
    ['A A A A answer', [1, 2, 3, 4], 4],
    ['A A A A answer A A A', [1, 2, 3, 4, 4, 4, 4], 'person'],
    ['A A A A answer B C D', [1, 2, 3, 4, 4, 4, 4], 'person'],
  ];
  test.each(rows)('%s uses the rungs %j and then %s', (failures, rungs, then, setting = {}) => {
    const climbed = climbWith(words(failures), setting);
    expect(climbed.rungs).toEqual(rungs);
    expect(climbed.then).toBe(then);
  });

  test('says which rule asked for the person', () => {
    expect(climbWith(words('A B A B A B A')).last).toEqual({ kind: 'person', because: 'ladder' });
    expect(climbWith(words('A B C D E F G H')).last).toEqual({ kind: 'person', because: 'max-attempts' });
  });

  test('goes to a remembered rung with its hint, and says so', () => {
    const { last } = climbWith(['A'], { fixes: { A: { rung: 3, hint: 'use the other key' } } });
    expect(last).toMatchObject({ kind: 'climb', strategy: 'remembered', hint: 'use the other key' });
  });

  test('does not call it remembered when the ladder is above the remembered rung already', () => {
    const { last, then } = climbWith(words('A A A'), { fixes: { A: { rung: 2, hint: 'h' } } });
    expect(then).toBe(4);
    expect(last).toMatchObject({ kind: 'climb', strategy: 'strongest', hint: 'h' });
  });

  test('does not call it remembered a second time, when it has just failed that way', () => {
    const { last, rungs, then } = climbWith(words('A A'), { fixes: { A: { rung: 3, hint: 'h' } } });
    expect(rungs).toEqual([1, 3]);
    expect(then).toBe(3);
    expect(last).toMatchObject({ kind: 'climb', strategy: 'feedback', hint: 'h' });
  });

  test('takes a remembered rung that is left out here as the next one above, and never as the person', () => {
    const fixAt = (n: number) => ({ A: { rung: n } });
    expect(climbWith(['A'], { tier: 3, fixes: fixAt(3) }).then).toBe(4);
    expect(climbWith(['A'], { fixes: fixAt(5) }).then).toBe(4);
    expect(climbWith(['A'], { fixes: fixAt(99) }).then).toBe(4);
  });

  test('gives three more attempts with each answer, on the rung reached, and counts from 0 again', () => {
    const once = climbWith(words('A A A A answer'));
    expect(once.climb).toMatchObject({ counts: {}, tierFailures: 0, attempts: 4, maxAttempts: 11 });
    const twice = climbWith(words('A A A A answer A A A answer'));
    expect(twice.climb).toMatchObject({ attempts: 7, maxAttempts: 14 });
    expect(twice.then).toBe(4);
  });

  test('gives exactly three more when all attempts were used', () => {
    const climbed = climbWith(words('A B C D E F G H answer I J K'));
    expect(climbed.rungs).toEqual([1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4]);
    expect(climbed.last).toEqual({ kind: 'person', because: 'max-attempts' });
  });

  test('stays on the rung reached after an answer, whichever it was, and climbs on from there', () => {
    const climbed = climbWith(words('A B answer C C C'), { maxAttempts: 2 });
    expect(climbed.rungs).toEqual([1, 2, 2, 2, 3]);
    expect(climbed.last).toEqual({ kind: 'person', because: 'max-attempts' });
  });
});

describe('the strategies', () => {
  test('name what is new about each attempt', () => {
    const strategies = ['A', 'A A', 'A A A'].map((failures) => climbWith(words(failures)).last);
    expect(strategies).toMatchObject([{ strategy: 'feedback' }, { strategy: 'stronger' }, { strategy: 'strongest' }]);
  });
});

describe('the reduced ladder', () => {
  const shape = (tier: Tier, rungs: Rung[] = defaultLadder): string[] =>
    reduceLadder(rungs, tier).steps.map((step) => `${step.rung}:${step.tier}${step.thinking ? 't' : ''}`);

  test('keeps all rungs of a subtask that starts at tier 1 or 2', () => {
    expect(shape(1)).toEqual(['1:1', '2:1', '3:2', '4:3t']);
    expect(shape(2)).toEqual(['1:2', '2:2', '3:3', '4:3t']);
  });

  test('leaves out the next tier where there is none, but not the feedback rung', () => {
    expect(shape(3)).toEqual(['1:3', '2:3', '4:3t']);
  });

  test('leaves out a rung that repeats the one before it', () => {
    expect(shape(1, [rung(), rung(), rung({ tier: 1 }), rung({ tier: 2 }), person])).toEqual(['1:1', '4:2']);
  });

  test('never lets a tier fall below that of the rung before', () => {
    expect(shape(2, [rung({ tier: 3 }), rung({ tier: 1, thinking: true }), rung({ feedback: true })])).toEqual([
      '1:3',
      '2:3t',
      '3:3',
    ]);
  });

  test('keeps the time limit and the retry policy of each rung', () => {
    const retry = { initialInterval: 5, backoff: 3, maximumInterval: 50, maximumAttempts: 2 };
    const { steps } = reduceLadder([rung(), rung({ tier: 'highest', timeout: 2_400_000, retry })], 1);
    expect(steps[0]).not.toHaveProperty('timeout');
    expect(steps[1]).toMatchObject({ timeout: 2_400_000, retry });
  });

  test('has room for more output on the highest rung, which alone keeps no rung that repeats', () => {
    expect(reduceLadder(defaultLadder, 1).steps.map(({ output }) => output)).toEqual([
      undefined,
      undefined,
      undefined,
      2,
    ]);
    expect(shape(1, [rung(), rung({ output: 3 })])).toEqual(['1:1']);
  });
});

describe('ladders of other shapes', () => {
  test('fails where a person would be asked when the ladder has none', () => {
    const rungs = defaultLadder.filter((step) => !step.person);
    expect(climbWith(words('A A A A'), { rungs }).last).toEqual({ kind: 'fail', because: 'ladder' });
    expect(climbWith(words('A B C D E F G H'), { rungs }).last).toEqual({ kind: 'fail', because: 'max-attempts' });
  });

  test('asks after the first failure when there is one rung', () => {
    expect(climbWith(['A'], { rungs: [rung(), person] }).then).toBe('person');
    expect(climbWith(['A'], { rungs: [rung()] }).then).toBe('fail');
  });

  test('gives a one-rung ladder one more attempt with each answer, since the same failure climbs at once', () => {
    expect(climbWith(words('A answer A'), { rungs: [rung(), person] }).rungs).toEqual([1, 1]);
  });

  test('counts in the reduced ladder and shows the numbers of the whole one', () => {
    const rungs = [rung(), rung(), rung({ feedback: true }), rung({ tier: 'highest' }), person];
    expect(climbWith(words('A A A'), { rungs })).toMatchObject({ rungs: [1, 3, 4], then: 'person' });
  });

  test('asks at once with one attempt allowed', () => {
    expect(climbWith(['A'], { maxAttempts: 1 }).last).toEqual({ kind: 'person', because: 'max-attempts' });
  });
});

describe('recovery overrides', () => {
  test('climb earlier at one tier', () => {
    expect(climbWith(words('A B'), { tries: { B: 2 } })).toMatchObject({ rungs: [1, 2], then: 3 });
    expect(climbWith(['A'], { tries: { A: 1 } })).toMatchObject({ rungs: [1], then: 3 });
  });

  test('climb later while the failures are new ones', () => {
    const tries = { A: 5, B: 5, C: 5, D: 5, E: 5 };
    expect(climbWith(words('A B C D E'), { tries })).toMatchObject({ rungs: [1, 2, 2, 2, 2], then: 3 });
  });

  test('never hold back the same failure', () => {
    expect(climbWith(words('A A A A'), { tries: { A: 5 } }).rungs).toEqual([1, 2, 3, 4]);
  });

  test('never end the ladder: at the last tier a new failure has its three attempts', () => {
    const climbed = climbWith(words('A A A B C D'), { tries: { B: 1, C: 1, D: 1 } });
    expect(climbed).toMatchObject({ rungs: [1, 2, 3, 4, 4, 4], then: 'person' });
  });
});

describe('attemptsAfterAnswer', () => {
  test('is three at the last tier and what is left of maxAttempts below it', () => {
    const ladder = reduceLadder(defaultLadder, 1);
    expect(attemptsAfterAnswer(ladder, climbWith(words('A A A A')).climb)).toBe(3);
    expect(attemptsAfterAnswer(ladder, { ...firstClimb(8), attempts: 1 })).toBe(10);
    expect(attemptsAfterAnswer(ladder, { ...firstClimb(2), attempts: 2 })).toBe(3);
  });
});
