import { Conversation } from '../../../domain/conversation/conversation.ts';
import type { LoggedResult, LogEntry, LogEntryOf, Remark } from '../../../domain/conversation/entry.ts';
import type { ReplyPart } from '../../../domain/conversation/message.ts';
import { listToolCalls } from '../../../domain/conversation/turn.ts';
import { defaultContext, type ContextRules } from '../../../domain/types/basic/compaction-rules.ts';
import type { Message } from '../../../domain/conversation/message.ts';

/** A turn and its results, as tests write it. */
export interface TestTurn {
  text?: string;
  thinking?: string;
  calls?: {
    tool: string;
    input: unknown;
    output: string;
    person?: string;
    isError?: boolean;
    whole?: LoggedResult['whole'];
    image?: LoggedResult['image'];
  }[];
  remarks?: Remark[];
}

export const frameOf = (given: Partial<LogEntryOf<'frame'>> = {}): LogEntryOf<'frame'> => ({
  k: 'frame',
  at: 0,
  owner: 'then',
  system: 'You work.',
  first: 'The task: sort the files.',
  tools: [{ name: 'read_file', description: 'Reads.', input: {} }],
  model: {
    name: 'small',
    id: 'small-1',
    provider: { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' },
    tier: 1,
    roles: ['executor'],
    context: 10_000,
    output: 1_000,
    thinking: 'off',
    stream: true,
  },
  thinking: false,
  maxOutput: 1_000,
  ...given,
});

const usage = { input: 1, output: 1, cached: 0, reasoning: 0 };

const answersOf = ({ calls = [] }: TestTurn, n: number, parts: ReplyPart[]): LoggedResult[] =>
  listToolCalls(n, parts).map(({ callId, id, tool }, index) => {
    const { output = '', person, isError = false, whole, image } = calls[index] ?? {};
    return {
      ...{ call: callId, id, tool, kind: 'reads' as const, text: output, isError },
      ...(person === undefined ? {} : { person }),
      ...(whole === undefined ? {} : { whole }),
      ...(image === undefined ? {} : { image }),
    };
  });

const partsOf = ({ text, thinking, calls = [] }: TestTurn, n: number): ReplyPart[] => [
  ...(thinking === undefined
    ? []
    : [{ type: 'thinking' as const, text: thinking, note: { local: { signature: 's' } } }]),
  ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
  ...calls.map(({ tool, input }, index) => ({
    ...{ type: 'call' as const, id: `id-${n}-${index}`, tool },
    input: typeof input === 'string' ? input : JSON.stringify(input),
    note: { local: { item: `item-${n}-${index}` } },
  })),
];

/** The log of a conversation: what came of the last turn is not in it yet, but what the next request will tell. */
export function logOf(
  turns: readonly TestTurn[],
  frame = frameOf(),
): { entries: LogEntry[]; pending: LogEntryOf<'turn'>['heard'] } {
  const entries: LogEntry[] = [frame];
  let pending: LogEntryOf<'turn'>['heard'] = { answers: [], remarks: [] };
  for (const [index, told] of turns.entries()) {
    const n = index + 1;
    const parts = partsOf(told, n);
    entries.push({ k: 'turn', at: n, n, heard: pending, parts, finish: 'calls', usage, costUsd: 0, took: 1 });
    pending = { answers: answersOf(told, n, parts), remarks: told.remarks ?? [] };
  }
  return { entries, pending };
}

export function conversationOf(turns: readonly TestTurn[], frame = frameOf()) {
  const { entries, pending } = logOf(turns, frame);
  const conversation = Conversation.of(entries);
  return { conversation, heard: pending, exchanges: conversation.exchangesWith(pending), entries };
}

/** Four characters are a token here. */
export const measure = (messages: readonly Message[]): number => Math.ceil(JSON.stringify(messages).length / 4);

export const rulesWith = (given: Partial<ContextRules> = {}): ContextRules => ({
  ...defaultContext,
  target: 0.7,
  ...given,
});

export const reads = (path: string, output: string, more: Partial<TestTurn> = {}): TestTurn => ({
  calls: [{ tool: 'read_file', input: { path }, output }],
  ...more,
});

export const lines = (count: number, what = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${what} ${index + 1} of the output`).join('\n');

/** Every call has exactly one result, in the message after it, and no result is without its call. */
export function unpaired(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const before = messages[index - 1];
    if (message.from === 'model') {
      const made = message.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
      const got = next?.from === 'tools' ? next.results.map(({ id }) => id) : [];
      if (JSON.stringify(made) !== JSON.stringify(got)) wrong.push(`${made.join()} got ${got.join()}`);
    }
    if (message.from === 'tools' && before?.from !== 'model') wrong.push('results without calls');
  }
  return wrong;
}
