import type { Verdict } from '../types/attempt.ts';
import type { Lens } from '../types/judgement.ts';
import type { Subtask } from '../types/subtask.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { clip, formatCount } from '../text/text.ts';

/** A file as judges see it. */
export interface Excerpt {
  path: string;
  text: string;
  /** The reason why the text is missing or cut. */
  note?: string;
}

/** Everything that a judge is shown: the subtask, the changes and the findings of the checks, but not how the work was done. */
export interface JudgeView {
  goal: string;
  subtask: Pick<Subtask, 'id' | 'description' | 'criteria' | 'deliverables'>;
  verdict: Pick<Verdict, 'outcome' | 'issues' | 'commands' | 'files'>;
  /** A unified diff of the attempt's changes; empty where it is unknown. */
  diff: string;
  excerpts: readonly Excerpt[];
  /** The records of the subtask, with their support; empty where it has none. */
  evidence?: string;
  /** The printed output, where that is the result. */
  output: string;
}

const lenses: Readonly<Record<Lens, string>> = {
  overall: 'Look at everything: does it do what was asked for, is it complete, and is it correct?',
  correctness: 'Look above all at correctness: is the result right, and does it do what was asked for?',
  completeness:
    'Look above all at completeness: is every criterion met, and is nothing missing or left to be filled in?',
  evidence: 'Look above all at evidence: does what you are shown support every statement?',
};

/** The lenses in the order of the voters; further voters start again at the first. */
const votingLenses: readonly Lens[] = ['correctness', 'completeness', 'evidence'];

export const listLenses = (voters: number): Lens[] =>
  Array.from({ length: voters }, (_, n) => votingLenses[n % votingLenses.length] ?? 'overall');

/** The part of the prompt that differs between judges. */
export const judgeValues = (lens: Lens): PromptValues<'judge'> => ({ lens: lenses[lens] });

/** Asks again after an unreadable reply. `form` is the output section of the prompt. */
export const repairRequest = (reply: string, form: string): string =>
  `Your last answer could not be read. It was:
<answer>
${clip(reply.trim(), 2_000)}
</answer>
Give the same verdict again, without Markdown. ${form}`;

/** A closing tag in foreign text must not end its block. */
const escapeClosingTags = (text: string): string =>
  text.replace(/<(?=\/?(?:task|criteria|checks|evidence|diff|file|output|answer)\b)/gi, '&lt;');

const formatBlock = (name: string, text: string, about = ''): string =>
  text.trim() === '' ? '' : `<${name}${about}>\n${escapeClosingTags(text.trim())}\n</${name}>`;

/** Builds the request. The most important parts come first: the diff and the files are cut at their ends to fit the room. */
export function judgeRequest(view: JudgeView, room: number): string {
  const { goal, subtask, verdict, excerpts } = view;
  const { criteria, deliverables } = subtask;
  const fixed = [
    formatBlock(
      'task',
      `${subtask.description}\nIt is part of this goal: ${clip(goal, 2_000)}${deliverables.length === 0 ? '' : `\nDeliverables: ${deliverables.join(', ')}`}`,
    ),
    formatBlock('criteria', criteria.map((text, index) => `${index + 1}. ${text}`).join('\n')),
    formatBlock('checks', formatChecks(verdict)),
    formatBlock('evidence', view.evidence ?? ''),
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
    return formatBlock(name, cutTo(text, each + more), about);
  });
  return [...fixed, ...shown.filter((part) => part !== '')].join('\n\n');
}

const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${clip(text, Math.max(0, most))}\n(cut here: ${text.length} characters in total)`;

function formatChecks({ outcome, issues, commands, files }: JudgeView['verdict']): string {
  return [
    `The checks: ${outcome}.`,
    ...commands.map(
      ({ command, name, exit, summary }) =>
        `${name === undefined ? '' : `${name}: `}$ ${command} (exit ${exit ?? 'none'}) ${summary}`,
    ),
    ...issues.map(({ message }) => `Found: ${message}`),
    ...files.map(({ path, state, lines }) => `File ${path}: ${state}, ${formatCount(lines, 'line')}`),
  ].join('\n');
}
