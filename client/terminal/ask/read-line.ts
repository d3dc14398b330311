import { choicesOf, press, shownOf, type Desk, type Wish } from './question-panel.ts';
import { emptyEntry } from './text-entry.ts';
import type { Key } from './key.ts';

const key = (name: string): Key => ({ name, text: '', ctrl: false, meta: false, shift: false });

/** The desk after a line that a person wrote without seeing what changes: a number, the name of a choice, or words. */
export function takeLine(desk: Desk, line: string): { desk: Desk; wish?: Wish; problem?: string } {
  const decision = shownOf(desk);
  // Lines are read after what was printed: none is too early.
  const now = Infinity;
  if (decision === undefined) return press(desk, key('tab'), now);
  if (desk.writing !== null) {
    const blank = { ...desk, writing: { ...desk.writing, entry: emptyEntry } };
    const typed = press(blank, { pasted: line }, now).desk;
    const sent = press(typed, key('return'), now);
    const problem = sent.desk.writing?.problem;
    if (problem === undefined) return sent;
    return line.trim() === '' ? press(desk, key('escape'), now) : { desk, problem };
  }
  const choices = choicesOf(decision);
  const named = line.trim().toLowerCase();
  const index = choices.findIndex((id, at) => named === id || named === String(at + 1));
  if (index === -1) return { desk, problem: `Type a number from 1 to ${choices.length}.` };
  return press({ ...desk, marks: new Map(desk.marks).set(decision.id, index) }, key('return'), now);
}
