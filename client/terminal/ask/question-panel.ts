import type { Answer, Decision, OptionId } from '../../../domain/types/decision.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { emptyEntry, entryText, pressInEntry, type Entry } from './text-entry.ts';
import { written, type Key, type Press } from './key.ts';
import { answerWith, askedFor, checkWords } from './panel-text.ts';

/** The questions before a person: which one is looked at, what is marked in each, what is being written. */
export interface Desk {
  open: readonly Decision[];
  /** The question on the screen; null when those that are open were put aside. */
  shown: string | null;
  aside: ReadonlySet<string>;
  /** Answers that are on their way, by question. */
  sent: ReadonlyMap<string, OptionId>;
  /** The marked choice of each question that was moved from what is recommended. */
  marks: ReadonlyMap<string, number>;
  writing: { option: OptionId; entry: Entry; problem: string | undefined } | null;
  /** What was written for a question and not taken. */
  drafts: ReadonlyMap<string, Entry>;
  /** Keys before this time were meant for what was on the screen before. */
  readyAt: number;
}

/** What a key asks for beyond the desk itself. */
export type Wish = { answer: Answer } | 'interrupt' | 'suspend';

export const emptyDesk: Desk = {
  open: [],
  shown: null,
  aside: new Set(),
  sent: new Map(),
  marks: new Map(),
  writing: null,
  drafts: new Map(),
  readyAt: 0,
};

/** Open questions that have no answer on its way. */
export const askable = ({ open, sent }: Desk): readonly Decision[] => open.filter(({ id }) => !sent.has(id));

export const shownOf = (desk: Desk): Decision | undefined => askable(desk).find(({ id }) => id === desk.shown);

/** Choices of a question, and the last one that every question has. */
export const choicesOf = ({ options }: Decision): readonly (OptionId | 'later')[] => [
  ...options.map(({ id }) => id),
  'later',
];

export function markOf({ marks }: Desk, decision: Decision): number {
  const recommended = decision.options.findIndex(({ id }) => id === decision.recommendation);
  return marks.get(decision.id) ?? Math.max(0, recommended);
}

/** Takes the questions that are open now. What a person was about to answer to one that is gone must not become an answer to another one. */
export function takeOpen(desk: Desk, open: readonly Decision[], now: number): Desk {
  const ids = new Set(open.map(({ id }) => id));
  const next = { ...desk, open, sent: new Map([...desk.sent].filter(([id]) => ids.has(id))) };
  if (shownOf(next) !== undefined) return next;
  const aside = desk.shown === null ? desk.aside : new Set([...desk.aside, ...ids]);
  return bringUp({ ...next, aside, writing: null }, now);
}

/** An answer that was not taken: the question is asked again. */
export function takeBack(desk: Desk, id: string, now: number): Desk {
  const next = { ...desk, sent: new Map([...desk.sent].filter(([sent]) => sent !== id)) };
  return shownOf(next) === undefined ? bringUp(next, now) : next;
}

function bringUp(desk: Desk, now: number): Desk {
  const next = askable(desk).find(({ id }) => !desk.aside.has(id));
  return { ...desk, shown: next?.id ?? null, readyAt: next === undefined ? 0 : now + clientLimits.cli.keyGuard };
}

/** The desk after a key, and what the key asks for. */
export function press(desk: Desk, pressed: Press, now: number): { desk: Desk; wish?: Wish } {
  if (!('pasted' in pressed) && pressed.ctrl && pressed.name === 'c') return { desk, wish: 'interrupt' };
  if (!('pasted' in pressed) && pressed.ctrl && pressed.name === 'z') return { desk, wish: 'suspend' };
  const decision = shownOf(desk);
  if (now < desk.readyAt) return { desk };
  if (decision !== undefined && (desk.writing !== null || isAnswerInWords(desk, decision, pressed)))
    return pressInWords(desk.writing === null ? choose(desk, decision, now).desk : desk, decision, pressed, now);
  if ('pasted' in pressed) return { desk };
  if (pressed.name === 'tab' || (decision !== undefined && (pressed.name === 'left' || pressed.name === 'right')))
    return { desk: walk(desk, pressed.shift || pressed.name === 'left' ? -1 : 1) };
  return decision === undefined ? { desk } : pressInChoices(desk, decision, pressed, now);
}

/** Whoever is asked something just types: letters of an answer must not mark another choice, which `Enter` would then give. */
function isAnswerInWords(desk: Desk, decision: Decision, pressed: Press): boolean {
  if (choicesOf(decision)[markOf(desk, decision)] !== 'answer') return false;
  return 'pasted' in pressed || /[^\s1-9]/.test(written(pressed));
}

function walk(desk: Desk, step: 1 | -1): Desk {
  const all = askable(desk);
  if (all.length === 0) return desk;
  const at = all.findIndex(({ id }) => id === desk.shown);
  const next = at === -1 ? 0 : (at + step + all.length) % all.length;
  return { ...desk, shown: all[next]?.id ?? null };
}

function pressInChoices(desk: Desk, decision: Decision, key: Key, now: number): { desk: Desk; wish?: Wish } {
  if (key.name === 'escape') return { desk: putAside(desk, decision, now) };
  if (key.name === 'return' || key.name === 'enter') return choose(desk, decision, now);
  const mark = moveMark(decision, markOf(desk, decision), key);
  return { desk: { ...desk, marks: new Map(desk.marks).set(decision.id, mark) } };
}

function moveMark(decision: Decision, mark: number, key: Key): number {
  const choices = choicesOf(decision);
  const typed = written(key).toLowerCase();
  if (key.name === 'down' || typed === 'j') return (mark + 1) % choices.length;
  if (key.name === 'up' || typed === 'k') return (mark + choices.length - 1) % choices.length;
  if (/^[1-9]$/.test(typed)) return Number(typed) <= choices.length ? Number(typed) - 1 : mark;
  return typed === '' ? mark : nextBegun(decision, mark, typed);
}

/** The next choice whose name begins so, round the list: several may begin with the same letter. */
function nextBegun(decision: Decision, mark: number, typed: string): number {
  const names = choicesOf(decision).map((id) => [id, decision.options.find((option) => option.id === id)?.label ?? '']);
  const fits = (at: number): boolean => names[at]?.some((name) => name.toLowerCase().startsWith(typed)) ?? false;
  const round = names.map((_, step) => (mark + 1 + step) % names.length);
  return round.find(fits) ?? mark;
}

function putAside(desk: Desk, { id }: Decision, now: number): Desk {
  return bringUp({ ...desk, aside: new Set(desk.aside).add(id), shown: null, writing: null }, now);
}

function choose(desk: Desk, decision: Decision, now: number): { desk: Desk; wish?: Wish } {
  const option = choicesOf(decision)[markOf(desk, decision)] ?? 'later';
  if (option === 'later') return { desk: putAside(desk, decision, now) };
  if (askedFor(decision, option) === undefined) return send(desk, answerWith(decision, option), now);
  const entry = desk.drafts.get(decision.id) ?? emptyEntry;
  return { desk: { ...desk, writing: { option, entry, problem: undefined } } };
}

function pressInWords(desk: Desk, decision: Decision, pressed: Press, now: number): { desk: Desk; wish?: Wish } {
  if (desk.writing === null) return { desk };
  const { option, entry } = desk.writing;
  const name = 'pasted' in pressed ? undefined : pressed.name;
  const drafts = new Map(desk.drafts).set(decision.id, entry);
  if (name === 'escape') return { desk: { ...desk, writing: null, drafts } };
  if (name !== 'return' && name !== 'enter') {
    const next = pressInEntry(entry, pressed);
    const problem = isTooMuch(entry, next, pressed) ? `At most ${limits.instruction} characters.` : undefined;
    return { desk: { ...desk, writing: { option, entry: next, problem } } };
  }
  const problem = checkWords(decision, option, entryText(entry));
  if (problem !== undefined) return { desk: { ...desk, writing: { option, entry, problem } } };
  return send({ ...desk, drafts }, answerWith(decision, option, entryText(entry)), now);
}

const isTooMuch = (before: Entry, after: Entry, pressed: Press): boolean =>
  before === after && ('pasted' in pressed ? pressed.pasted : written(pressed)) !== '';

function send(desk: Desk, answer: Answer, now: number): { desk: Desk; wish: Wish } {
  const sent = new Map(desk.sent).set(answer.decisionId, answer.option);
  return { desk: bringUp({ ...desk, sent, writing: null }, now), wish: { answer } };
}
