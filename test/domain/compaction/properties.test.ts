// Properties of compaction for any conversation: calls keep their results, protected parts stay, and a log is read alike twice.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planCompaction } from '../../../domain/compaction/plan-compaction.ts';
import { lastCompaction, requestMessages, type CompactionState } from '../../../domain/compaction/request-messages.ts';
import { writeSummary } from '../../../domain/compaction/summary.ts';
import { Conversation } from '../../../domain/conversation/conversation.ts';
import type { LogEntry } from '../../../domain/conversation/entry.ts';
import { readEntries, writeEntry } from '../../../domain/conversation/read-entries.ts';
import { logOf, measure, rulesWith, unpaired, type TestTurn } from './support.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.integer({ min: 0, max: 6_000 }).map((length) => 'some words and 😀 '.repeat(length / 18)),
);
const call = fc.record({
  tool: fc.constantFrom('read_file', 'write_file', 'shell', 'todo', 'ask_user', 'narrate'),
  input: fc.oneof(
    text,
    text.map((content) => ({ path: 'a', content })),
    fc.constant({ items: [{ text: 't', done: false }] }),
  ),
  output: text,
  isError: fc.boolean(),
});
const anyTurn: fc.Arbitrary<TestTurn> = fc
  .record({ text, calls: fc.array(call, { maxLength: 4 }), asks: fc.boolean(), reminded: fc.boolean() })
  .map(({ text: words, calls, asks, reminded }) => ({
    text: words,
    calls: calls.map((each) =>
      asks && each.tool === 'ask_user'
        ? { ...each, output: `The person: ${each.output}`, person: `The person: ${each.output}` }
        : each,
    ),
    remarks: reminded ? [{ kind: 'todos', text: 'Your open todos: t' }] : [],
  }));

const ways = fc.record({
  budget: fc.integer({ min: 50, max: 20_000 }),
  must: fc.boolean(),
  target: fc.double({ min: 0.1, max: 1, noNaN: true }),
  summary: fc.integer({ min: 10, max: 500 }),
});

type Way = typeof ways extends fc.Arbitrary<infer W> ? W : never;

/** As the loop does it: the last turn is what the model has not seen the answers of. */
function foldOnce(entries: LogEntry[], pending: ReturnType<typeof logOf>['pending'], way: Way): LogEntry[] {
  const conversation = Conversation.of(entries);
  const exchanges = conversation.exchangesWith(pending);
  const folded = lastCompaction(conversation);
  const fixed = measure([{ from: 'user', text: conversation.frame.first }]);
  const target = way.target * way.budget;
  const plan = planCompaction({
    exchanges,
    state: folded,
    readable: true,
    measure,
    fixed,
    rules: rulesWith(),
    ...way,
    target,
  });
  if (plan === undefined) return entries;
  const merged = plan.merge ?? folded.upTo.merged;
  const summary =
    plan.merge === undefined
      ? folded.text
      : writeSummary({ exchanges, merged, modelSummary: undefined, readable: true, most: way.summary * 3 });
  const next: CompactionState = { upTo: { ...folded.upTo, ...plan.upTo, merged }, text: summary };
  const mark: LogEntry = {
    ...{ k: 'fold', at: 0, n: conversation.turns, why: 'pressure', ...next },
    ...{ tokens: { before: 1, after: 1 }, scale: 1 },
  };
  return [...entries, mark];
}

const requestOf = (entries: readonly LogEntry[], pending: ReturnType<typeof logOf>['pending']) => {
  const conversation = Conversation.of(entries);
  return requestMessages(conversation, conversation.exchangesWith(pending), lastCompaction(conversation));
};

test('any conversation is compacted within its bounds and without loss of what must stay', () => {
  fc.assert(
    fc.property(
      fc.array(anyTurn, { minLength: 1, maxLength: 12 }),
      fc.array(ways, { minLength: 1, maxLength: 3 }),
      (turns, each) => {
        const { entries: before, pending } = logOf(turns);
        let entries = before;
        for (const way of each) entries = foldOnce(entries, pending, way);
        const messages = requestOf(entries, pending);
        // Calls and results are paired, and the task comes first.
        expect(unpaired(messages)).toEqual([]);
        const whole = requestOf(before, pending);
        expect(messages[0]).toEqual(whole[0]);
        // The last turn and what it was answered are as they were.
        const from = whole.findLastIndex((message) => message.from === 'model');
        expect(messages.slice(from - whole.length)).toEqual(whole.slice(from));
        // A person's words are all there.
        const sent = messages.flatMap((message) =>
          message.from === 'user'
            ? [message.text]
            : message.from === 'tools'
              ? message.results.map(({ text: given }) => given)
              : [],
        );
        for (const { calls = [] } of turns)
          for (const { person } of calls)
            if (person !== undefined) expect(sent.some((one) => one.includes(person))).toBe(true);
        // It never gets longer by a fold.
        expect(measure(messages)).toBeLessThanOrEqual(measure(whole) + 400);
        // A second reading of the log sends the same request, byte by byte.
        const again = readEntries(entries.map(writeEntry).join(''));
        if ('damaged' in again) throw new Error('damaged');
        expect(JSON.stringify(requestOf(again.entries, pending))).toBe(JSON.stringify(messages));
        // Until the next mark, what was sent stays the beginning of what is sent.
        const { entries: later, pending: next } = logOf([...turns, { text: 'more', calls: [] }]);
        const marks = entries.filter(({ k }) => k === 'fold');
        const longer = requestOf([...later, ...marks], next);
        expect(longer.slice(0, messages.length)).toEqual(messages);
        // A compaction as far as a rule asks is not repeated by that rule.
        for (const way of each) {
          const once = foldOnce(before, pending, { ...way, must: false });
          expect(foldOnce(once, pending, { ...way, must: false })).toHaveLength(once.length);
        }
      },
    ),
    { numRuns: 100 },
  );
});
