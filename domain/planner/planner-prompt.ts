import { lookingTools } from '../executors/agent.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ProjectTest } from '../types/planner.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { formatPath, type PlanProblem } from '../input/problem.ts';
import { clip } from '../text/text.ts';

/** What the prompt of a planner says of our limits. */
export const plannerValues: PromptValues<'planner'> = {
  subtasks: String(limits.planner.subtasks),
  tools: lookingTools.map((tool) => `"${tool}"`).join(', '),
};

export interface PlannerView {
  goal: string;
  /** Names of files in the workspace. */
  files: readonly string[];
  /** Not all of them are listed. */
  isCut: boolean;
  /** What people said about the plans before, newest last. */
  wishes: readonly string[];
  endChecks?: EndChecks;
}

/** How the result of all subtasks is checked: as the plan says, or as the project tests itself. */
export interface EndChecks {
  commands: readonly string[];
  projectTest?: ProjectTest | undefined;
}

/** A closing tag in foreign text must not end its block. */
const inert = (text: string): string =>
  text.replace(/<(?=\/?(?:goal|workspace|wishes|checks|plan|progress|instructions|reason)\b)/gi, '&lt;');

export const block = (name: string, text: string): string => `<${name}>\n${inert(text)}\n</${name}>`;

/** What is to be planned, and where. `room`: characters for the names of files. */
export function plannerRequest({ goal, files, isCut, wishes, endChecks }: PlannerView, room: number): string {
  return [
    block('goal', goal),
    block('workspace', formatFiles({ files, isCut }, room)),
    ...formatEndChecks(endChecks),
    ...(wishes.length === 0
      ? []
      : [`A person did not accept an earlier plan and said:\n${block('wishes', wishes.join('\n'))}`]),
  ].join('\n\n');
}

/** What a model that plans is told about the check of the whole goal. */
export function formatEndChecks({ commands, projectTest }: EndChecks = { commands: [] }): string[] {
  if (commands.length > 0)
    return [
      `After all subtasks, Heddle checks the result with these commands. Do not repeat them:\n${block('checks', commands.join('\n'))}`,
    ];
  if (projectTest === undefined) return [];
  const { command, file } = projectTest;
  return [
    `This project tests itself with the command below (from ${file}). Use it in \`verify\` where the tests have to pass:\n${block('checks', command)}`,
  ];
}

/** Names of files, as many as there is room for. */
export function formatFiles({ files, isCut }: Pick<PlannerView, 'files' | 'isCut'>, room: number): string {
  const shown: string[] = [];
  let left = room;
  for (const file of files) {
    left -= file.length + 1;
    if (left < 0) break;
    shown.push(file);
  }
  const more = isCut || shown.length < files.length ? ['(and more files)'] : [];
  return files.length === 0 ? 'It is empty.' : [...shown, ...more].join('\n');
}

/** A problem as one line for whoever has to correct it. */
export const formatProblem = ({
  message,
  where,
  hint,
}: Pick<PlanProblem, 'message'> & { where?: string | undefined; hint?: string | undefined }): string =>
  clip(
    `${where === undefined || where === formatPath([]) ? '' : `${where}: `}${message}${hint === undefined ? '' : ` ${hint}`}`,
    limits.planner.problem,
  );

/** What is said after a reply that is no plan: exactly what is wrong with it. */
export function plannerFeedback(problems: readonly string[]): string {
  const listed = problems.slice(0, limits.planner.problems);
  const more = problems.length > listed.length ? [`- and ${problems.length - listed.length} more`] : [];
  return [
    'This plan cannot be used:',
    ...listed.map((problem) => `- ${problem}`),
    ...more,
    'Correct all of it and send the whole plan again, as one JSON object and nothing else.',
  ].join('\n');
}
