// How an old turn is sent: what gets shorter, what never does, and how the original is named.
import { describe, expect, test } from 'vitest';
import { findOriginal } from '../../../domain/compaction/original-text.ts';
import { parseReference, writeReference } from '../../../domain/compaction/reference.ts';
import { lastCompaction, requestMessages, type CompactionState } from '../../../domain/compaction/request-messages.ts';
import type { Message } from '../../../domain/conversation/message.ts';
import { conversationOf, frameOf, lines, logOf, reads, unpaired, type TestTurn } from './support.ts';

const upTo = { arguments: 0, outputs: 0, narrative: 0, merged: 0 };
const all = (n: number): CompactionState => ({ upTo: { ...upTo, arguments: n, outputs: n, narrative: n }, text: '' });

const sent = (turns: TestTurn[], folded: Partial<CompactionState['upTo']>, frame = frameOf()): Message[] => {
  const { conversation, exchanges } = conversationOf(turns, frame);
  return requestMessages(conversation, exchanges, { upTo: { ...upTo, ...folded }, text: '' });
};

const long = lines(200);
const inputIn = (message: Message | undefined): unknown => {
  const part = message?.from === 'model' ? message.parts.find(({ type }) => type === 'call') : undefined;
  return part?.type === 'call' ? JSON.parse(part.input) : undefined;
};
const resultIn = (message: Message | undefined): string =>
  message?.from === 'tools' ? (message.results[0]?.text ?? '') : '';

describe('a request', () => {
  test('contains every text unchanged until something is compacted', () => {
    const turns = [reads('a', long, { text: 'I look.' }), reads('b', 'short')];
    expect(sent(turns, {})).toEqual([
      { from: 'user', text: 'The task: sort the files.' },
      expect.objectContaining({ from: 'model' }),
      { from: 'tools', results: [{ id: 'id-1-0', tool: 'read_file', text: long, isError: false }] },
      expect.objectContaining({ from: 'model' }),
      { from: 'tools', results: [{ id: 'id-2-0', tool: 'read_file', text: 'short', isError: false }] },
    ]);
  });

  test('replaces merged turns by their summary alone, after the task', () => {
    const { conversation, exchanges } = conversationOf([reads('a', long), reads('b', long), reads('c', 'c')]);
    const messages = requestMessages(conversation, exchanges, { upTo: { ...upTo, merged: 2 }, text: 'Two were read.' });
    expect(messages.map(({ from }) => from)).toEqual(['user', 'user', 'model', 'tools']);
    expect(messages[1]).toEqual({ from: 'user', text: 'Two were read.' });
    expect(unpaired(messages)).toEqual([]);
  });

  test('is compacted as the newest mark of the log says', () => {
    const { conversation } = conversationOf([reads('a', long)]);
    expect(lastCompaction(conversation)).toEqual({ upTo, text: '' });
    conversation.take({
      ...{ k: 'fold', at: 1, n: 1, why: 'pressure', upTo: { ...upTo, outputs: 1 }, text: 's' },
      ...{ tokens: { before: 2, after: 1 }, scale: 1 },
    });
    expect(lastCompaction(conversation)).toMatchObject({ upTo: { ...upTo, outputs: 1 }, text: 's' });
  });
});

describe('an image', () => {
  const image = { sha256: 'a'.repeat(64), bytes: 10, type: 'image/png' as const, width: 2, height: 2 };
  const turns: TestTurn[] = [
    { calls: [{ tool: 'read_file', input: { path: 'a.png' }, output: 'An image.', image }] },
    reads('b', 'b'),
  ];

  test('is shown until its output is shortened, when the model is told so and it no longer counts', () => {
    const { conversation } = conversationOf(turns);
    expect(sent(turns, {})[2]).toMatchObject({ results: [{ text: 'An image.', image }] });
    expect(conversation.images).toEqual([image]);
    const [, , folded] = sent(turns, { outputs: 1 });
    expect(resultIn(folded)).toBe('An image. (The image is no longer shown; read it again to see it.)');
    expect(JSON.stringify(folded)).not.toContain(image.sha256);
    conversation.take({
      ...{ k: 'fold', at: 1, n: 2, why: 'pressure', upTo: { ...upTo, outputs: 1 }, text: '' },
      ...{ tokens: { before: 2, after: 1 }, scale: 1 },
    });
    expect(conversation.images).toEqual([]);
  });
});

describe('arguments', () => {
  const write = (content: string): TestTurn => ({
    calls: [{ tool: 'write_file', input: { path: 'a.md', content }, output: 'done' }],
  });

  test('keep their names, stay JSON, and name where the rest is', () => {
    const [, message] = sent([write(long), reads('b', 'b')], { arguments: 1 });
    const input = inputIn(message) as Record<string, string>;
    expect(Object.keys(input)).toEqual(['path', 'content', 'shortened']);
    expect(input['path']).toBe('a.md');
    expect(input['content']?.length).toBeLessThanOrEqual(120);
    expect(input['shortened']).toContain('"ref:1.1/arguments"');
  });

  test.each([
    ['short ones', { path: 'a', content: 'b'.repeat(500) }],
    ['those of todos', { items: Array.from({ length: 80 }, (_, n) => ({ text: `step ${n} of many`, done: false })) }],
  ])('%s stay as they are', (_, input) => {
    const tool = 'items' in input ? 'todo' : 'write_file';
    const turns: TestTurn[] = [{ calls: [{ tool, input, output: 'ok' }] }, reads('b', 'b')];
    expect(inputIn(sent(turns, { arguments: 1 })[1])).toEqual(input);
  });

  test.each([
    ['no JSON', `{"path": "${'x'.repeat(2_000)}`],
    ['no object', JSON.stringify('x'.repeat(2_000))],
    ['many short values', JSON.stringify({ args: Array.from({ length: 300 }, () => 'word') })],
    ['deep nesting', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ])('are replaced by their beginning when they are %s', (_, input) => {
    const turns: TestTurn[] = [{ calls: [{ tool: 'git', input, output: 'ok' }] }, reads('b', 'b')];
    const shortened = (inputIn(sent(turns, { arguments: 1 })[1]) as { shortened?: string }).shortened ?? '';
    expect(shortened.startsWith(input.slice(0, 100))).toBe(true);
    expect(shortened.length).toBeLessThan(400);
  });

  test('leave the thinking and the notes of their turn behind when they changed, because those were signed for the whole', () => {
    const [, message] = sent([{ ...write(long), thinking: 'hm' }, reads('b', 'b')], { arguments: 1 });
    if (message?.from !== 'model') throw new Error('no model');
    expect(message.parts.map(({ type, note }) => [type, note])).toEqual([['call', undefined]]);
    const [, whole] = sent([{ ...write('short'), thinking: 'hm' }, reads('b', 'b')], { arguments: 1 });
    if (whole?.from !== 'model') throw new Error('no model');
    expect(whole.parts.map(({ type }) => type)).toEqual(['thinking', 'call']);
    expect(whole.parts.every(({ note }) => note !== undefined)).toBe(true);
  });
});

describe('outputs', () => {
  test('keep their beginning and their end, and name where the whole is', () => {
    const text = resultIn(sent([reads('a', long), reads('b', long)], { outputs: 1 })[2]);
    expect(text.startsWith('line 1 of the output')).toBe(true);
    expect(text.endsWith('line 200 of the output')).toBe(true);
    expect(text).toContain('read_file with path "ref:1.1" reads the whole text');
    expect(text.length).toBeLessThan(1_000);
  });

  test('stay whole when they are only slightly longer than their shortened form', () => {
    const text = 'x'.repeat(900);
    expect(resultIn(sent([reads('a', text), reads('b', 'b')], { outputs: 1 })[2])).toBe(text);
  });

  test("keep a person's text whole, however long it is", () => {
    const person = `A person changed the arguments to ${'y'.repeat(2_000)}`;
    const turn: TestTurn = { calls: [{ tool: 'shell', input: {}, output: `${person}\n${long}`, person }] };
    const text = resultIn(sent([turn, reads('b', 'b')], { outputs: 1 })[2]);
    expect(text).toContain(person.slice(0, -1));
    expect(text.length).toBeLessThan(person.length + 800);
    const answer: TestTurn = { calls: [{ tool: 'ask_user', input: {}, output: person, person }] };
    expect(resultIn(sent([answer, reads('b', 'b')], { outputs: 1 })[2])).toBe(person);
  });

  test('name no reference to a model that cannot read files', () => {
    const frame = frameOf({ tools: [{ name: 'shell', description: 'Runs.', input: {} }] });
    const text = resultIn(sent([reads('a', long), reads('b', 'b')], { outputs: 1 }, frame)[2]);
    expect(text).toContain('[shortened:');
    expect(text).not.toContain('ref:');
  });
});

describe('narrative', () => {
  const turn = (remarks: TestTurn['remarks'] = []): TestTurn => ({
    ...reads('a', 'a'),
    thinking: 'I think',
    text: `I say ${'words '.repeat(300)}`,
    remarks,
  });

  test('gets shorter, and loses its thinking', () => {
    const [, message] = sent([turn(), reads('b', 'b')], { narrative: 1 });
    if (message?.from !== 'model') throw new Error('no model');
    expect(message.parts.map(({ type }) => type)).toEqual(['text', 'call']);
    expect(JSON.stringify(message)).toContain('ref:1\\"');
    expect(JSON.stringify(message).length).toBeLessThan(700);
  });

  test("loses the loop's own remarks in old turns", () => {
    const remarks: TestTurn['remarks'] = [{ kind: 'todos', text: 'Your open todos: a' }];
    expect(JSON.stringify(sent([turn(remarks), reads('b', 'b')], {}))).toContain('Your open todos');
    expect(JSON.stringify(sent([turn(remarks), reads('b', 'b')], { narrative: 1 }))).not.toContain('Your open todos');
  });
});

describe('a reference', () => {
  test.each(['ref:12', 'ref:12.1', 'ref:3.14/arguments'])('%s is read as it is written', (text) => {
    const reference = parseReference(text);
    expect(reference === undefined ? undefined : writeReference(reference)).toBe(text);
  });

  test.each(['ref:', 'ref:a', 'ref:1.', 'ref:1/arguments', 'ref:1.1/args', 'ref:1.1\n', ' ref:1.1', 'ref:99999999'])(
    'cannot be %j',
    (text) => expect(parseReference(text)).toBeUndefined(),
  );

  test('leads to the reply, the call and the result', () => {
    const input = { path: 'a.md', content: 'one\ntwo', all: true };
    const { entries, pending } = logOf([
      { text: 'I write.', calls: [{ tool: 'write_file', input, output: long }] },
      reads('b', 'b'),
    ]);
    const find = (text: string): string | undefined => {
      const reference = parseReference(text);
      return reference === undefined ? undefined : findOriginal(entries, reference)?.text;
    };
    expect(find('ref:1')).toBe('I write.');
    expect(find('ref:1.1')).toBe(long);
    expect(find('ref:1.1/arguments')).toBe('path:\na.md\ncontent:\none\ntwo\nall:\ntrue');
    // Told with the next request only.
    expect(pending.answers.map(({ call }) => call)).toEqual(['2.1']);
    expect(['ref:2.1', 'ref:9', 'ref:1.2', 'ref:1.2/arguments'].map(find)).toEqual(Array(4).fill(undefined));
  });
});

test('the same turn at the same depth is the same object, so that it is measured once', () => {
  const { conversation, exchanges } = conversationOf([reads('a', long), reads('b', long)]);
  const [one, other] = [1, 2].map(() => requestMessages(conversation, exchanges, all(1)));
  expect(one?.[1]).toBe(other?.[1]);
});
