import type { Verdict } from '../types/attempt.ts';
import type { Lens } from '../types/judgement.ts';
import type { Subtask } from '../types/subtask.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { clip, formatCount } from '../text/text.ts';

/** A file as judges see it. */
export interface Excerpt {
  path: string;
  text: string;
  /** Why there is no text, or not all of it. */
  note?: string;
}

/** All that a judge is shown: what was asked for, what changed, and what the checks found. Nothing of how it was done. */
export interface JudgeView {
  goal: string;
  subtask: Pick<Subtask, 'id' | 'description' | 'criteria' | 'deliverables'>;
  verdict: Pick<Verdict, 'outcome' | 'issues' | 'commands' | 'files'>;
  /** A unified diff of what the attempt changed; empty where nobody can tell. */
  diff: string;
  excerpts: readonly Excerpt[];
  /** What it printed, where that is the result. */
  output: string;
}

const lenses: Readonly<Record<Lens, string>> = {
  overall: 'Look at everything: is it what was asked for, is it whole, is it right?',
  correctness: 'Look above all at correctness: is what is there right, and does it do what was asked for?',
  completeness:
    'Look above all at completeness: is every criterion met, and is nothing missing or left to be filled in?',
  evidence: 'Look above all at evidence: is what is stated supported by what you are shown?',
};

/** In the order in which voters get them; more voters begin again. */
const votingLenses: readonly Lens[] = ['correctness', 'completeness', 'evidence'];

export const lensesOf = (voters: number): Lens[] =>
  Array.from({ length: voters }, (_, n) => votingLenses[n % votingLenses.length] ?? 'overall');

/** What one judge is told apart from the others. */
export const judgeValues = (lens: Lens): PromptValues<'judge'> => ({ lens: lenses[lens] });

/** What is asked again where the answer could not be read. `form` says how to answer. */
export const repairRequest = (said: string, form: string): string =>
  `Your last answer could not be read. It was:
<answer>
${clip(said.trim(), 2_000)}
</answer>
Give the same verdict again, without Markdown. ${form}`;

/** A closing tag in foreign text must not end its block. */
const inert = (text: string): string =>
  text.replace(/<(?=\/?(?:task|criteria|checks|diff|file|output|answer)\b)/gi, '&lt;');

const block = (name: string, text: string, about = ''): string =>
  text.trim() === '' ? '' : `<${name}${about}>\n${inert(text.trim())}\n</${name}>`;

/** The parts that are read first come first: what has no room is cut at the end of the diff and of the files. */
export function judgeRequest(view: JudgeView, room: number): string {
  const { goal, subtask, verdict, excerpts } = view;
  const { criteria, deliverables } = subtask;
  const fixed = [
    block(
      'task',
      `${subtask.description}\nIt is part of this goal: ${clip(goal, 2_000)}${deliverables.length === 0 ? '' : `\nDeliverables: ${deliverables.join(', ')}`}`,
    ),
    block('criteria', criteria.map((text, index) => `${index + 1}. ${text}`).join('\n')),
    block('checks', formatChecks(verdict)),
  ].filter((part) => part !== '');
  const left = Math.max(0, room - fixed.join('\n\n').length);
  const parts = [
    ...(view.output === '' ? [] : [{ name: 'output', about: '', text: view.output }]),
    ...(view.diff === '' ? [] : [{ name: 'diff', about: '', text: view.diff }]),
    ...excerpts.map(({ path, text, note }) => ({
      name: 'file',
      about: ` path=${JSON.stringify(path)}${note === undefined ? '' : ` note=${JSON.stringify(note)}`}`,
      text: text === '' ? `(${note ?? 'it is empty'})` : text,
    })),
  ];
  const each = Math.floor(left / Math.max(1, parts.length));
  let spare = left - parts.reduce((sum, { text }) => sum + Math.min(text.length, each), 0);
  const shown = parts.map(({ name, about, text }) => {
    const more = Math.max(0, Math.min(text.length - each, spare));
    spare -= more;
    return block(name, cutTo(text, each + more), about);
  });
  return [...fixed, ...shown.filter((part) => part !== '')].join('\n\n');
}

const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${clip(text, Math.max(0, most))}\n(cut here: ${text.length} characters in all)`;

function formatChecks({ outcome, issues, commands, files }: JudgeView['verdict']): string {
  return [
    `The checks: ${outcome}.`,
    ...commands.map(({ command, exit, summary }) => `$ ${command} (exit ${exit ?? 'none'}) ${summary}`),
    ...issues.map(({ message }) => `Found: ${message}`),
    ...files.map(({ path, state, lines }) => `File ${path}: ${state}, ${formatCount(lines, 'line')}`),
  ].join('\n');
}
