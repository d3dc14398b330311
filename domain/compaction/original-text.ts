import type { Answer, LogEntry } from '../conversation/entry.ts';
import { listToolCalls, textOf } from '../conversation/turn.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { Reference } from './reference.ts';

/** What a reference leads to: a text of the log, and where the whole is when that was too long for the model. */
export interface FoundOriginal {
  text: string;
  whole?: Ref;
}

export function findOriginal(entries: readonly LogEntry[], reference: Reference): FoundOriginal | undefined {
  switch (reference.of) {
    case 'narrative': {
      const turn = entries.find((entry) => entry.k === 'turn' && entry.n === reference.turn);
      return turn?.k === 'turn' ? { text: textOf(turn.parts) } : undefined;
    }
    case 'arguments': {
      const calls = entries.flatMap((entry) => (entry.k === 'turn' ? listToolCalls(entry.n, entry.parts) : []));
      const call = calls.find(({ callId }) => callId === reference.call);
      return call === undefined ? undefined : { text: layOut(call.input) };
    }
    case 'output': {
      const answer = entries.flatMap(answersIn).find(({ call }) => call === reference.call);
      if (answer === undefined) return undefined;
      return { text: answer.text, ...(answer.whole === undefined ? {} : { whole: answer.whole }) };
    }
  }
}

const answersIn = (entry: LogEntry): Answer[] =>
  entry.k === 'result' ? [entry] : entry.k === 'turn' ? entry.heard.answers : [];

/** Arguments by their names, texts as they are: in JSON a whole file would be one line. */
function layOut(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return input;
    return Object.entries(value)
      .map(([key, item]) => `${key}:\n${typeof item === 'string' ? item : JSON.stringify(item, null, 1)}`)
      .join('\n');
  } catch {
    return input;
  }
}
