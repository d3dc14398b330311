import { posix } from 'node:path';
import * as z from 'zod';

import type { LogEntry, LoggedResult } from '../../domain/conversation/entry.ts';
import { listToolCalls, type ToolCall } from '../../domain/conversation/turn.ts';
import { foldAddress } from '../../domain/evidence/parse-source.ts';
import { readOutput } from '../../domain/output/pipeline.ts';
import type { Store } from '../store/store.ts';

/** A source that an agent read: a path, an address, an artifact, or the arguments of git. */
export interface SourceRead {
  kind: 'file' | 'git' | 'web' | 'artifact';
  at: string;
  /** The result of the call. */
  text: () => Promise<string>;
}

/** A call of a conversation with its result. */
export interface AnsweredCall {
  call: ToolCall;
  answer: LoggedResult;
}

/** Lists the calls of a conversation that have a result, in their order. */
export function listAnswered(entries: readonly LogEntry[]): AnsweredCall[] {
  const calls: ToolCall[] = [];
  const answers = new Map<string, LoggedResult>();
  for (const entry of entries) {
    if (entry.k === 'turn') {
      for (const answer of entry.heard.answers) answers.set(answer.call, answer);
      calls.push(...listToolCalls(entry.n, entry.parts, entry.finish));
    }
    if (entry.k === 'result') answers.set(entry.call, entry);
  }
  return calls.flatMap((call) => {
    const answer = answers.get(call.callId);
    return answer === undefined ? [] : [{ call, answer }];
  });
}

/** Lists the sources that a conversation really read. A read that failed shows nothing. */
export function listReads(answered: readonly AnsweredCall[], store: Pick<Store, 'get'>): SourceRead[] {
  return answered.flatMap(({ call, answer }) => {
    if (answer.isError) return [];
    const args = parseArguments(call.input);
    const text = async (): Promise<string> =>
      answer.whole === undefined ? answer.text : (await store.get(answer.whole)).toString('utf8');
    return (readers[call.tool]?.(args, answer.text) ?? []).map((read) => ({ ...read, text }));
  });
}

type Reader = (args: Record<string, unknown>, result: string) => Pick<SourceRead, 'kind' | 'at'>[];

/** The sources of each reading tool, by its arguments and its result. */
const readers: Readonly<Partial<Record<string, Reader>>> = {
  read_file: ({ path }) => textOf(path, (at) => ({ kind: 'file', at: posix.normalize(at) })),
  // The files with a match stand alone on their lines; the places in them are indented.
  search_text: (_, result) =>
    result
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(' '))
      .map((line) => ({ kind: 'file', at: posix.normalize(line.replace(/ \(the first places\)$/u, '')) })),
  git: ({ args }) => (Array.isArray(args) ? [{ kind: 'git', at: args.join(' ') }] : []),
  web_fetch: ({ url }) => textOf(url, (at) => ({ kind: 'web', at: foldAddress(at) })),
  read_artifact: (args) =>
    Object.values(args).flatMap((value) =>
      typeof value === 'string' && value.startsWith('af_') ? [{ kind: 'artifact' as const, at: value }] : [],
    ),
};

const textOf = <Read>(value: unknown, read: (text: string) => Read): Read[] =>
  typeof value === 'string' && value !== '' ? [read(value)] : [];

const anyArguments = z.record(z.string(), z.unknown());

/** Reading tools take repaired arguments too. */
function parseArguments(input: string): Record<string, unknown> {
  const read = readOutput(input, { schema: anyArguments });
  return read.kind === 'invalid' ? {} : read.value;
}
