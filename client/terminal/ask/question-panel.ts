import type { DecisionAnswer, Decision, OptionId } from '../../../domain/types/decision.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { emptyEntry, entryText, pressInEntry, type TextEntry } from './text-entry.ts';
import { written, type Key, type Press } from './key.ts';
import { answerWith, askedFor, checkText } from './panel-text.ts';

/** The questions before a person: which one is looked at, what is marked in each, what is being written. */
export interface QuestionPanel {
  open: readonly Decision[];
  /** The question on the screen; null when those that are open were put aside. */
  shown: string | null;
  aside: ReadonlySet<string>;
  /** Answers that are on their way, by question. */
  sent: ReadonlyMap<string, OptionId>;
  /** The marked choice of each question that was moved from what is recommended. */
  marks: ReadonlyMap<string, number>;
  writing: { option: OptionId; entry: TextEntry; problem: string | undefined } | null;
  /** Texts that were written for a question and not sent. */
  drafts: ReadonlyMap<string, TextEntry>;
  /** Keys before this time were meant for what was on the screen before. */
  readyAt: number;
}

/** The effect of a key beyond the panel itself. */
export type KeyAction = { answer: DecisionAnswer } | 'interrupt' | 'suspend';

export const emptyPanel: QuestionPanel = {
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
export const askable = ({ open, sent }: QuestionPanel): readonly Decision[] => open.filter(({ id }) => !sent.has(id));

export const shownDecision = (panel: QuestionPanel): Decision | undefined =>
  askable(panel).find(({ id }) => id === panel.shown);

/** Choices of a question, and the last one that every question has. */
export const listChoices = ({ options }: Decision): readonly (OptionId | 'later')[] => [
  ...options.map(({ id }) => id),
  'later',
];

export function markedOption({ marks }: QuestionPanel, decision: Decision): number {
  const recommended = decision.options.findIndex(({ id }) => id === decision.recommendation);
  return marks.get(decision.id) ?? Math.max(0, recommended);
}

/** Takes the questions that are open now. What a person was about to answer to one that is gone must not become an answer to another one. */
export function takeOpen(panel: QuestionPanel, open: readonly Decision[], now: number): QuestionPanel {
  const ids = new Set(open.map(({ id }) => id));
  const next = { ...panel, open, sent: new Map([...panel.sent].filter(([id]) => ids.has(id))) };
  if (shownDecision(next) !== undefined) return next;
  const aside = panel.shown === null ? panel.aside : new Set([...panel.aside, ...ids]);
  return bringUp({ ...next, aside, writing: null }, now);
}

/** An answer that was not taken: the question is asked again. */
export function takeBack(panel: QuestionPanel, id: string, now: number): QuestionPanel {
  const next = { ...panel, sent: new Map([...panel.sent].filter(([sent]) => sent !== id)) };
  return shownDecision(next) === undefined ? bringUp(next, now) : next;
}

function bringUp(panel: QuestionPanel, now: number): QuestionPanel {
  const next = askable(panel).find(({ id }) => !panel.aside.has(id));
  return { ...panel, shown: next?.id ?? null, readyAt: next === undefined ? 0 : now + clientLimits.cli.keyGuard };
}

/** The panel after a key, and the action that the key asks for. */
export function press(panel: QuestionPanel, pressed: Press, now: number): { panel: QuestionPanel; action?: KeyAction } {
  if (!('pasted' in pressed) && pressed.ctrl && pressed.name === 'c') return { panel, action: 'interrupt' };
  if (!('pasted' in pressed) && pressed.ctrl && pressed.name === 'z') return { panel, action: 'suspend' };
  const decision = shownDecision(panel);
  if (now < panel.readyAt) return { panel };
  if (decision !== undefined && (panel.writing !== null || isTypedAnswer(panel, decision, pressed)))
    return pressInText(panel.writing === null ? choose(panel, decision, now).panel : panel, decision, pressed, now);
  if ('pasted' in pressed) return { panel };
  if (pressed.name === 'tab' || (decision !== undefined && (pressed.name === 'left' || pressed.name === 'right')))
    return { panel: walk(panel, pressed.shift || pressed.name === 'left' ? -1 : 1) };
  return decision === undefined ? { panel } : pressInChoices(panel, decision, pressed, now);
}

/** A person who is asked something just types: letters of an answer must not mark another choice, which `Enter` would then give. */
function isTypedAnswer(panel: QuestionPanel, decision: Decision, pressed: Press): boolean {
  if (listChoices(decision)[markedOption(panel, decision)] !== 'answer') return false;
  return 'pasted' in pressed || /[^\s1-9]/.test(written(pressed));
}

function walk(panel: QuestionPanel, step: 1 | -1): QuestionPanel {
  const all = askable(panel);
  if (all.length === 0) return panel;
  const at = all.findIndex(({ id }) => id === panel.shown);
  const next = at === -1 ? 0 : (at + step + all.length) % all.length;
  return { ...panel, shown: all[next]?.id ?? null };
}

function pressInChoices(
  panel: QuestionPanel,
  decision: Decision,
  key: Key,
  now: number,
): { panel: QuestionPanel; action?: KeyAction } {
  if (key.name === 'escape') return { panel: putAside(panel, decision, now) };
  if (key.name === 'return' || key.name === 'enter') return choose(panel, decision, now);
  const mark = moveMark(decision, markedOption(panel, decision), key);
  return { panel: { ...panel, marks: new Map(panel.marks).set(decision.id, mark) } };
}

function moveMark(decision: Decision, mark: number, key: Key): number {
  const choices = listChoices(decision);
  const typed = written(key).toLowerCase();
  if (key.name === 'down' || typed === 'j') return (mark + 1) % choices.length;
  if (key.name === 'up' || typed === 'k') return (mark + choices.length - 1) % choices.length;
  if (/^[1-9]$/.test(typed)) return Number(typed) <= choices.length ? Number(typed) - 1 : mark;
  return typed === '' ? mark : nextBegun(decision, mark, typed);
}

/** The next choice whose name begins so, round the list: several may begin with the same letter. */
function nextBegun(decision: Decision, mark: number, typed: string): number {
  const names = listChoices(decision).map((id) => [
    id,
    decision.options.find((option) => option.id === id)?.label ?? '',
  ]);
  const fits = (at: number): boolean => names[at]?.some((name) => name.toLowerCase().startsWith(typed)) ?? false;
  const round = names.map((_, step) => (mark + 1 + step) % names.length);
  return round.find(fits) ?? mark;
}

function putAside(panel: QuestionPanel, { id }: Decision, now: number): QuestionPanel {
  return bringUp({ ...panel, aside: new Set(panel.aside).add(id), shown: null, writing: null }, now);
}

function choose(panel: QuestionPanel, decision: Decision, now: number): { panel: QuestionPanel; action?: KeyAction } {
  const option = listChoices(decision)[markedOption(panel, decision)] ?? 'later';
  if (option === 'later') return { panel: putAside(panel, decision, now) };
  if (askedFor(decision, option) === undefined) return send(panel, answerWith(decision, option), now);
  const entry = panel.drafts.get(decision.id) ?? emptyEntry;
  return { panel: { ...panel, writing: { option, entry, problem: undefined } } };
}

function pressInText(
  panel: QuestionPanel,
  decision: Decision,
  pressed: Press,
  now: number,
): { panel: QuestionPanel; action?: KeyAction } {
  if (panel.writing === null) return { panel };
  const { option, entry } = panel.writing;
  const name = 'pasted' in pressed ? undefined : pressed.name;
  const drafts = new Map(panel.drafts).set(decision.id, entry);
  if (name === 'escape') return { panel: { ...panel, writing: null, drafts } };
  if (name !== 'return' && name !== 'enter') {
    const next = pressInEntry(entry, pressed);
    const problem = isTooMuch(entry, next, pressed) ? `At most ${limits.instruction} characters.` : undefined;
    return { panel: { ...panel, writing: { option, entry: next, problem } } };
  }
  const problem = checkText(decision, option, entryText(entry));
  if (problem !== undefined) return { panel: { ...panel, writing: { option, entry, problem } } };
  return send({ ...panel, drafts }, answerWith(decision, option, entryText(entry)), now);
}

const isTooMuch = (before: TextEntry, after: TextEntry, pressed: Press): boolean =>
  before === after && ('pasted' in pressed ? pressed.pasted : written(pressed)) !== '';

function send(panel: QuestionPanel, answer: DecisionAnswer, now: number): { panel: QuestionPanel; action: KeyAction } {
  const sent = new Map(panel.sent).set(answer.decisionId, answer.option);
  return { panel: bringUp({ ...panel, sent, writing: null }, now), action: { answer } };
}
