import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { clip, oneLine, formatCount } from '../text/text.ts';
import { block, formatEndChecks, formatFiles, type PlannerView } from './planner-prompt.ts';
import { shownPlan } from './replan-view.ts';

/** What the prompt of a replanner says of our limits. */
export const replannerValues: PromptValues<'replanner'> = { subtasks: String(limits.planner.subtasks) };

export interface ReplannerView extends Pick<PlannerView, 'goal' | 'files' | 'isCut' | 'endChecks'> {
  before: readonly Subtask[];
  have: PlanSoFar;
}

/** The plan that runs, how far it is, and why there is to be another. `room`: characters for the names of files. */
export function replannerRequest({ goal, files, isCut, endChecks, before, have }: ReplannerView, room: number): string {
  const { reason, subtasks, exhausted, steering, version, left } = have;
  const plan = shownPlan(before, have).map((subtask) => JSON.stringify(subtask));
  return [
    block('goal', goal),
    block('plan', `[${plan.join(',\n')}]`),
    block('progress', subtasks.map(formatStanding).join('\n')),
    block('workspace', formatFiles({ files, isCut }, room)),
    ...formatEndChecks(endChecks),
    ...(steering.length === 0 ? [] : [block('instructions', steering.join('\n'))]),
    ...(exhausted.length === 0 ? [] : [`Cannot go on as they are: ${exhausted.join(', ')}.`]),
    block('reason', reason),
    `This is version ${version} of the plan; the task may still have ${formatCount(left, 'new plan')}, with yours.`,
  ].join('\n\n');
}

function formatStanding({ id, status, attempts, reason }: PlanSoFar['subtasks'][number]): string {
  const tried = attempts === 0 ? '' : `, ${formatCount(attempts, 'attempt')}`;
  return `- ${id}: ${status}${tried}${reason === undefined ? '' : `: ${clip(oneLine(reason), limits.planner.purpose)}`}`;
}
