import { listChoices, press, shownDecision, type QuestionPanel, type KeyAction } from './question-panel.ts';
import { emptyEntry } from './text-entry.ts';
import type { Key } from './key.ts';

const key = (name: string): Key => ({ name, text: '', ctrl: false, meta: false, shift: false });

/** The panel after a line that a person wrote without seeing what changes: a number, the name of a choice, or words. */
export function takeLine(
  panel: QuestionPanel,
  line: string,
): { panel: QuestionPanel; action?: KeyAction; problem?: string } {
  const decision = shownDecision(panel);
  // Lines are read after what was printed: none is too early.
  const now = Infinity;
  if (decision === undefined) return press(panel, key('tab'), now);
  if (panel.writing !== null) {
    const blank = { ...panel, writing: { ...panel.writing, entry: emptyEntry } };
    const typed = press(blank, { pasted: line }, now).panel;
    const sent = press(typed, key('return'), now);
    const problem = sent.panel.writing?.problem;
    if (problem === undefined) return sent;
    return line.trim() === '' ? press(panel, key('escape'), now) : { panel, problem };
  }
  const choices = listChoices(decision);
  const named = line.trim().toLowerCase();
  const index = choices.findIndex((id, at) => named === id || named === String(at + 1));
  if (index === -1) return { panel, problem: `Type a number from 1 to ${choices.length}.` };
  return press({ ...panel, marks: new Map(panel.marks).set(decision.id, index) }, key('return'), now);
}
