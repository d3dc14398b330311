// When and how far a conversation is folded: the stages in their order, the protections, and each brake.
import { describe, expect, test } from 'vitest';
import { computeDepth, compactExchange } from '../../../domain/compaction/compact-exchange.ts';
import { planCompaction, type CompactionInput } from '../../../domain/compaction/plan-compaction.ts';
import { assessPressure, estimateWindow } from '../../../domain/compaction/window-pressure.ts';
import type { LogEntryOf, CompactedUpTo } from '../../../domain/conversation/entry.ts';
import { conversationOf, frameOf, measure, reads, rulesWith, type TestTurn } from './support.ts';

const none: CompactedUpTo = { arguments: 0, outputs: 0, narrative: 0, merged: 0 };

const sizeOf = ({ exchanges, fixed }: Pick<CompactionInput, 'exchanges' | 'fixed'>, upTo: CompactedUpTo): number =>
  exchanges
    .filter(({ n }) => n > upTo.merged)
    .reduce((sum, exchange) => sum + measure(compactExchange(exchange, computeDepth(exchange, upTo), true)), fixed);

/** A conversation that fills its budget by this share. */
function situationOf(turns: TestTurn[], share: number, given: Partial<CompactionInput> = {}): CompactionInput {
  const { exchanges } = conversationOf(turns);
  const base = { exchanges, state: { upTo: none, text: '' }, readable: true, measure, fixed: 20, summary: 50 };
  const budget = Math.round(sizeOf(base, none) / share);
  const rules = given.rules ?? rulesWith();
  return { ...base, rules, budget, must: false, target: rules.target * budget, ...given };
}

const writes = (size: number): TestTurn => ({
  calls: [{ tool: 'write_file', input: { path: 'a', content: 'x'.repeat(size) }, output: 'ok' }],
});
const replyOfSize = (size: number): TestTurn => ({ ...reads('a', 'a'), text: 'word '.repeat(size / 5) });
const many = (count: number, turn: TestTurn): TestTurn[] => Array.from({ length: count }, () => turn);

describe('stages', () => {
  const mixed = [...many(5, writes(4_000)), ...many(5, reads('a', 'x'.repeat(4_000))), ...many(5, replyOfSize(4_000))];

  test('are used in order, each only as far as needed', () => {
    const upTo = [0.9, 1, 1.4, 2.2].map((share) => planCompaction(situationOf(mixed, share))?.upTo);
    // The oldest arguments are enough; then all of them and outputs; then narrative too.
    expect(upTo[0]).toEqual({ ...none, arguments: 4 });
    expect(upTo[1]).toMatchObject({ arguments: 14, outputs: 6, narrative: 0 });
    expect(upTo[2]?.outputs).toBeGreaterThan(8);
    expect(upTo[3]).toMatchObject({ arguments: 14, outputs: 14 });
    expect(upTo[3]?.narrative).toBeGreaterThan(10);
  });

  test('end below the target', () => {
    const situation = situationOf(mixed, 0.95);
    const upTo = { ...none, ...planCompaction(situation)?.upTo };
    expect(sizeOf(situation, upTo)).toBeLessThanOrEqual(situation.target);
    expect(sizeOf(situation, { ...upTo, arguments: upTo.arguments - 1 })).toBeGreaterThan(situation.target);
  });

  test('merge only what must get shorter, and only as many turns as needed', () => {
    const turns = many(40, reads('a', 'x'.repeat(600)));
    expect(planCompaction(situationOf(turns, 0.95))).toBeUndefined();
    const situation = situationOf(turns, 1.1, { must: true });
    const merge = planCompaction(situation)?.merge ?? 0;
    const left = (merged: number): number => sizeOf(situation, { ...none, merged }) + situation.summary;
    expect(left(merge)).toBeLessThanOrEqual(situation.target);
    expect(left(merge - 1)).toBeGreaterThan(situation.target);
  });

  test('do not merge where shortening is enough', () => {
    expect(planCompaction(situationOf(mixed, 1.1, { must: true }))?.merge).toBeUndefined();
  });

  test('continue where the last compaction ended', () => {
    const upTo = { ...none, arguments: 14, outputs: 8 };
    const plan = planCompaction(situationOf(mixed, 1.8, { state: { upTo, text: '' } }));
    expect(plan?.upTo.arguments).toBe(14);
    expect(plan?.upTo.outputs).toBeGreaterThan(8);
  });
});

describe('a protected turn', () => {
  test('is the last one, however large it is', () => {
    const turns = [...many(3, reads('a', 'x'.repeat(2_000))), reads('b', 'x'.repeat(40_000))];
    const plan = planCompaction(situationOf(turns, 1.5, { must: true }));
    expect(Math.max(...Object.values(plan?.upTo ?? none), plan?.merge ?? 0)).toBe(3);
  });

  test('is the only one', () => {
    expect(planCompaction(situationOf([reads('a', 'x'.repeat(40_000))], 3, { must: true }))).toBeUndefined();
  });
});

describe('a brake', () => {
  test('skips a compaction with almost no gain, unless it must', () => {
    const turns = [reads('a', 'x'.repeat(1_200)), ...many(40, reads('b', 'x'.repeat(900)))];
    expect(planCompaction(situationOf(turns, 0.9))).toBeUndefined();
    expect(planCompaction(situationOf(turns, 0.9, { rules: rulesWith({ gain: 0 }) }))?.upTo.outputs).toBeGreaterThan(0);
    expect(planCompaction(situationOf(turns, 0.9, { must: true }))?.upTo.outputs).toBeGreaterThan(0);
  });

  test('skips the same content a second time', () => {
    const turns = many(10, reads('a', 'x'.repeat(4_000)));
    const { upTo } = planCompaction(situationOf(turns, 3)) ?? { upTo: none };
    const folded = { upTo: { ...none, ...upTo }, text: '' };
    expect(upTo.outputs).toBe(9);
    expect(planCompaction(situationOf(turns, 3, { state: folded }))).toBeUndefined();
  });

  test('skips one large turn where that saves more than needed', () => {
    const turns = [
      ...many(6, reads('a', 'x'.repeat(2_000))),
      reads('b', 'x'.repeat(20_000)),
      ...many(2, replyOfSize(2_000)),
    ];
    const situation = situationOf(turns, 0.9);
    const upTo = { ...none, ...planCompaction(situation)?.upTo };
    expect(upTo.outputs).toBe(6);
    expect(sizeOf(situation, upTo)).toBeGreaterThan(situation.rules.floor * situation.budget);
    const without = planCompaction(situationOf(turns, 0.9, { rules: rulesWith({ floor: 0 }) }));
    expect(without?.upTo.outputs).toBe(7);
  });

  test('allows one large turn where nothing less helps', () => {
    const turns = [...many(2, reads('a', 'x'.repeat(900))), reads('b', 'x'.repeat(20_000)), reads('c', 'c')];
    expect(planCompaction(situationOf(turns, 0.95))?.upTo.outputs).toBe(3);
  });
});

const foldAt = (n: number, given: Partial<LogEntryOf<'fold'>> = {}): LogEntryOf<'fold'> => ({
  ...{ k: 'fold', at: 0, n, why: 'pressure', upTo: none, text: '', tokens: { before: 2, after: 1 }, scale: 1 },
  ...given,
});

describe('pressure', () => {
  const window = { budget: 1_000, most: 1_100, whole: 1_200 };
  const { frame } = conversationOf([]).conversation;
  const at = (turns: number, ...compactions: LogEntryOf<'fold'>[]) => ({ frame, turns, compactions });

  test.each([
    [859, 'none'],
    [860, 'soft'],
    [1_019, 'soft'],
    [1_020, 'hard'],
  ] as const)('of %i in a budget of 1000 is %s', (input, expected) => {
    expect(assessPressure(input, window, at(5))).toBe(expected);
  });

  test('is hard where the request would not fit at all', () => {
    expect(assessPressure(950, { ...window, most: 949 }, at(5))).toBe('hard');
  });

  test('is ignored shortly after a compaction while it is soft', () => {
    const of = (turns: number, input: number) => assessPressure(input, window, at(turns, foldAt(10)));
    expect([10, 12, 13].map((turns) => of(turns, 900))).toEqual(['none', 'none', 'soft']);
    expect(of(11, 1_050)).toBe('hard');
  });

  test('is off where the config says so', () => {
    const off = frameOf({ context: rulesWith({ mode: 'off' }) });
    expect(assessPressure(5_000, window, { frame: off, turns: 5, compactions: [] })).toBe('none');
  });
});

describe('the window', () => {
  const given = { thinking: 0, leastOutput: 256 };
  const of = (frame: Partial<LogEntryOf<'frame'>>, ...compactions: LogEntryOf<'fold'>[]) =>
    estimateWindow({ frame: frameOf(frame), compactions }, given);

  test("is the model's context without the room for its reply", () => {
    expect(of({})).toEqual({ budget: 9_000, most: 9_544, whole: 9_800 });
    expect(estimateWindow({ frame: frameOf(), compactions: [] }, { ...given, thinking: 2_000 }).whole).toBe(7_800);
  });

  test('leaves most of it to the request, however much the reply may have', () => {
    expect(of({ maxOutput: 9_900 }).budget).toBe(7_500);
  });

  test('is smaller than the config says where the provider has refused a request', () => {
    const refused = foldAt(3, { why: 'overflow', refused: { input: 4_000, output: 1_000 } });
    expect(of({}, refused)).toEqual({ budget: 3_200, most: 4_000, whole: 4_000 });
  });
});
