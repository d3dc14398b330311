import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import type { ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import { calls, finishes } from '../../support/scripted-models.ts';
import type { Chance } from '../random/chance.ts';
import type { Holds } from './holds.ts';

/** What a process does to a conversation that dies with it: nothing, one request that is asked again, or one that was only reserved. */
type Cost = 'nothing' | 'asked-again' | 'reserved';

interface Point {
  name: string;
  hold?: Pick<Holds[string], 'k' | 'when'>;
  cost: Cost;
}

/** The named moments at which a worker is killed. */
export const points = [
  { name: 'before-the-call', hold: { k: 'call', when: 'after' }, cost: 'reserved' },
  { name: 'during-the-call', cost: 'asked-again' },
  { name: 'before-the-answer-is-written', hold: { k: 'turn', when: 'before' }, cost: 'asked-again' },
  { name: 'within-the-answer', hold: { k: 'turn', when: 'half' }, cost: 'asked-again' },
  { name: 'after-the-answer', hold: { k: 'turn', when: 'after' }, cost: 'nothing' },
  { name: 'between-claim-and-effect', hold: { k: 'claim', when: 'after' }, cost: 'nothing' },
  { name: 'after-the-effect', hold: { k: 'result', when: 'before' }, cost: 'nothing' },
  { name: 'after-the-result', hold: { k: 'result', when: 'after' }, cost: 'nothing' },
  { name: 'while-a-question-is-open', cost: 'nothing' },
] as const satisfies readonly Point[];

export type PointName = (typeof points)[number]['name'];

/** Every reply costs the same: 1000 tokens in at 1 USD a million, 100 out at 5. */
export const usage = { input: 1_000, output: 100 };
export const usdOfTurn = 0.0015;

/** What the model does: every effect adds a line of its own before the last one, and would add it again if it were done twice. */
export interface Play {
  turns: ScriptReply[];
  lines: string[];
  /** Of the turn, entry or question at which it is cut. */
  nth: number;
}

export function playOf(point: PointName, chance: Chance): Play {
  const edits = Array.from({ length: chance.between(2, 4) }, () => chance.between(1, 2));
  const lines: string[] = [];
  const turns = edits.map((count, index): ScriptReply => {
    const added = Array.from({ length: count }, (_, at) => `line ${index + 1}.${at + 1}`);
    lines.push(...added);
    const read: [string, unknown][] = chance.once(2) ? [['read_file', { path: 'log.txt' }]] : [];
    return { usage, ...calls(...read, ...added.map(editOf)) };
  });
  const asks = point === 'while-a-question-is-open';
  if (asks) turns.push({ usage, ...calls(['ask_user', { question: 'Shall I go on?' }]) });
  turns.push({ usage, ...finishes('all lines are there', ['log.txt']) });
  const most = point.includes('effect') || point.includes('result') ? lines.length : turns.length;
  return { turns, lines, nth: chance.between(1, most) };
}

const editOf = (line: string): [string, unknown] => [
  'edit_file',
  { path: 'log.txt', old: 'the end\n', new: `${line}\nthe end\n` },
];

/** Which turn of its conversation a request asks for: what is said twice is answered twice the same. */
export function turnOf({ body }: ScriptedRequest): number {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as { role?: unknown }[]) : [];
  return messages.filter(({ role }) => role === 'assistant').length + 1;
}
