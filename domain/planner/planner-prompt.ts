import { readOnlyTools, webTools } from '../executors/agent.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ProjectTest } from '../types/planner.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { lessonBlock } from '../prompts/lessons.ts';
import { formatPath, type PlanProblem } from '../input/problem.ts';
import { clip } from '../text/text.ts';

/** The limits that the planner's prompt names. */
export const plannerValues: PromptValues<'planner'> = {
  subtasks: String(limits.planner.subtasks),
  tools: readOnlyTools
    .filter((tool) => !webTools.has(tool))
    .map((tool) => `"${tool}"`)
    .join(', '),
};

export interface PlannerView {
  goal: string;
  /** Names of files in the workspace. */
  files: readonly string[];
  /** Set when the list of files is incomplete. */
  isCut: boolean;
  /** Comments of people on earlier plans, newest last. */
  comments: readonly string[];
  endChecks?: EndChecks;
  /** The project's own notes for agents. */
  notes?: string | undefined;
  /** Texts of lessons, the most relevant first. */
  lessons?: readonly string[];
}

/** The checks of the combined result: those of the plan, or the project's own test. */
export interface EndChecks {
  commands: readonly string[];
  projectTest?: ProjectTest | undefined;
}

/** A closing tag in foreign text must not end its block. */
const escapeClosingTags = (text: string): string =>
  text.replace(
    /<(?=\/?(?:goal|workspace|comments|checks|plan|progress|instructions|reason|project_notes|lessons)\b)/gi,
    '&lt;',
  );

export const formatBlock = (name: string, text: string): string => `<${name}>\n${escapeClosingTags(text)}\n</${name}>`;

/** Builds the request: the goal and the workspace. `room`: characters for the names of files. */
export function plannerRequest(
  { goal, files, isCut, comments, endChecks, notes, lessons = [] }: PlannerView,
  room: number,
): string {
  return [
    formatBlock('goal', goal),
    formatBlock('workspace', formatFiles({ files, isCut }, room)),
    ...formatNotes(notes),
    ...lessonBlock(lessons),
    ...formatEndChecks(endChecks),
    ...(comments.length === 0
      ? []
      : [`A person did not accept an earlier plan and said:\n${formatBlock('comments', comments.join('\n'))}`]),
  ].join('\n\n');
}

/** Formats the notes of the project for a planner. */
export function formatNotes(notes: string | undefined): string[] {
  if (notes === undefined) return [];
  return [
    `This project has notes for agents (AGENTS.md), which the user trusts. Plan by their conventions and commands:\n${formatBlock('project_notes', notes)}`,
  ];
}

/** Formats the checks of the whole goal for a planner. */
export function formatEndChecks({ commands, projectTest }: EndChecks = { commands: [] }): string[] {
  if (commands.length > 0)
    return [
      `After all subtasks, Heddle checks the result with these commands. Do not repeat them:\n${formatBlock('checks', commands.join('\n'))}`,
    ];
  if (projectTest === undefined) return [];
  const { command, file } = projectTest;
  return [
    `This project tests itself with the command below (from ${file}). Use it in \`verify\` where the tests have to pass:\n${formatBlock('checks', command)}`,
  ];
}

/** Lists as many names of files as fit. */
export function formatFiles({ files, isCut }: Pick<PlannerView, 'files' | 'isCut'>, room: number): string {
  const shown: string[] = [];
  let left = room;
  for (const file of files) {
    left -= file.length + 1;
    if (left < 0) break;
    shown.push(file);
  }
  const more = isCut || shown.length < files.length ? ['(and more files)'] : [];
  return files.length === 0 ? 'The workspace is empty.' : [...shown, ...more].join('\n');
}

/** Formats a problem as one line for the model that has to correct it. */
export const formatProblem = ({
  message,
  where,
  hint,
}: Pick<PlanProblem, 'message'> & { where?: string | undefined; hint?: string | undefined }): string =>
  clip(
    `${where === undefined || where === formatPath([]) ? '' : `${where}: `}${message}${hint === undefined ? '' : ` ${hint}`}`,
    limits.planner.problem,
  );

/** Builds the reply to an invalid plan: all of its problems. */
export function plannerFeedback(problems: readonly string[]): string {
  const listed = problems.slice(0, limits.planner.problems);
  const more = problems.length > listed.length ? [`- and ${problems.length - listed.length} more`] : [];
  return [
    'This plan cannot be used:',
    ...listed.map((problem) => `- ${problem}`),
    ...more,
    'Correct all of these problems and send the whole plan again, as one JSON object and nothing else.',
  ].join('\n');
}
