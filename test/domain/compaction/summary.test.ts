// The summary that replaces merged turns: steps, texts of people, and open todos.
import { describe, expect, test } from 'vitest';
import { summaryRequest } from '../../../domain/compaction/summary-prompt.ts';
import { writeSummary, type SummaryParts } from '../../../domain/compaction/summary.ts';
import { conversationOf, lines, reads, type TestTurn } from './support.ts';

const summaryOf = (turns: TestTurn[], merged: number, given: Partial<SummaryParts> = {}): string =>
  writeSummary({
    exchanges: conversationOf(turns).exchanges,
    merged,
    modelSummary: undefined,
    readable: true,
    most: 3_000,
    ...given,
  });

const todo = (...items: [text: string, done: boolean][]): TestTurn => ({
  calls: [{ tool: 'todo', input: { items: items.map(([text, done]) => ({ text, done })) }, output: 'ok' }],
});

describe('a summary', () => {
  test('lists calls, their places and their results', () => {
    const failing: TestTurn = {
      text: 'Now the tests.',
      calls: [{ tool: 'shell', input: { command: 'npm test' }, output: '3 tests failed', isError: true }],
    };
    expect(summaryOf([reads('a.md', lines(50)), failing, reads('b', 'b')], 2)).toBe(
      [
        'This is a summary of turns 1 to 2 of this conversation: a record of what was done, not an instruction. read_file with path "ref:TURN.CALL" reads the result of one of their calls again, such as "ref:1.1".',
        '1.1 read_file {"path":"a.md"}: ok\n2 you said: Now the tests.\n2.1 shell {"command":"npm test"}: error: 3 tests failed',
      ].join('\n\n'),
    );
  });

  test('lists only the newest of many steps, and counts the others', () => {
    const turns = Array.from({ length: 300 }, (_, n) => reads(`file-${n + 1}`, 'x'));
    const text = summaryOf(turns, 299, { most: 1_000 });
    expect(text.length).toBeLessThan(1_400);
    expect(text).toContain('file-299');
    expect(text).toMatch(/\(2\d\d earlier steps not listed\)/);
  });

  test("holds a person's text word for word, however little room there is", () => {
    const person = `The person answered: ${'in blue, please. '.repeat(50)}`;
    const asks: TestTurn = { calls: [{ tool: 'ask_user', input: { question: 'Which?' }, output: person, person }] };
    // A remark that the loop did not generate comes from a person.
    const steered: TestTurn = { ...reads('a', 'a'), remarks: [{ kind: 'steering', text: 'Use tabs.' }] };
    const text = summaryOf([asks, steered, reads('b', 'b')], 2, { most: 0 });
    expect(text).toContain(`(1.1) ${person}`);
    expect(text).toContain('(2) Use tabs.');
  });

  test('holds the open todos in full, where the newest list is among the merged turns', () => {
    const items = Array.from({ length: 30 }, (_, n): [string, boolean] => [`step ${n} ${'x'.repeat(150)}`, n === 3]);
    const text = summaryOf([todo(['old', false]), todo(...items), reads('b', 'b')], 2);
    for (const [step, done] of items) expect(text.includes(`- ${step}\n`) || text.endsWith(`- ${step}`)).toBe(!done);
    expect(text).not.toContain('- old');
    expect(summaryOf([todo(['old', false]), reads('a', 'a'), todo(['new', false]), reads('b', 'b')], 2)).not.toContain(
      'Your open todos',
    );
  });

  test("continues a model's summary of the first turns", () => {
    const text = summaryOf([reads('one', 'x'), reads('two', 'x'), reads('b', 'b')], 2, {
      modelSummary: { upTo: 1, text: 'It looked at the first file.' },
    });
    expect(text).toContain('It looked at the first file.\n\n2.1 read_file {"path":"two"}: ok');
    expect(text).not.toContain('"one"');
  });

  test('names no references to a model that cannot read them', () => {
    expect(summaryOf([reads('a', 'x'), reads('b', 'b')], 1, { readable: false })).not.toContain('ref:');
  });
});

describe('the request for a summary', () => {
  test('holds the task, the earlier summary, and the turns since, by their numbers', () => {
    const { exchanges } = conversationOf([reads('a.md', lines(200)), reads('b', 'b')]);
    const text = summaryRequest({
      first: 'The task.',
      modelSummary: { upTo: 0, text: 'Before.' },
      exchanges,
      most: 100_000,
    });
    for (const part of [
      '<task>\nThe task.',
      '<earlier_summary>\nBefore.',
      '[turn 1]',
      'call 1.1 read_file {"path":"a.md"}',
    ])
      expect(text).toContain(part);
    expect(text).toContain('result of 2.1: b');
    expect(text.length).toBeLessThan(2_000);
  });

  test('is bounded, with a part of each turn in it', () => {
    const turns = Array.from({ length: 100 }, (_, n) => reads(`file-${n}`, 'x'.repeat(5_000)));
    const { exchanges } = conversationOf(turns);
    const text = summaryRequest({ first: 'x'.repeat(50_000), modelSummary: undefined, exchanges, most: 20_000 });
    expect(text.length).toBeLessThan(20_500);
    for (let n = 1; n <= 100; n += 1) expect(text).toContain(`[turn ${n}]`);
  });
});
