import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';
import type { PromptValues } from '../types/basic/prompt-sections.ts';
import { lessonBlock } from '../prompts/lessons.ts';
import { clip, oneLine, formatCount } from '../text/text.ts';
import { formatBlock, formatEndChecks, formatFiles, formatNotes, type PlannerView } from './planner-prompt.ts';
import { describePlan } from './replan-view.ts';

/** The limits that the replanner's prompt names. */
export const replannerValues: PromptValues<'replanner'> = { subtasks: String(limits.planner.subtasks) };

export interface ReplannerView extends Pick<
  PlannerView,
  'goal' | 'files' | 'isCut' | 'endChecks' | 'notes' | 'lessons'
> {
  before: readonly Subtask[];
  have: PlanSoFar;
}

/** Builds the request: the running plan, its progress, and the reason for a new one. `room`: characters for the names of files. */
export function replannerRequest(view: ReplannerView, room: number): string {
  const { goal, files, isCut, endChecks, notes, lessons = [], before, have } = view;
  const { reason, subtasks, exhausted, steering, version, left } = have;
  const plan = describePlan(before, have).map((subtask) => JSON.stringify(subtask));
  return [
    formatBlock('goal', goal),
    formatBlock('plan', `[${plan.join(',\n')}]`),
    formatBlock('progress', subtasks.map(formatStanding).join('\n')),
    formatBlock('workspace', formatFiles({ files, isCut }, room)),
    ...formatNotes(notes),
    ...lessonBlock(lessons),
    ...formatEndChecks(endChecks),
    ...(steering.length === 0 ? [] : [formatBlock('instructions', steering.join('\n'))]),
    ...(exhausted.length === 0 ? [] : [`Cannot continue as they are: ${exhausted.join(', ')}.`]),
    formatBlock('reason', reason),
    `This is version ${version} of the plan; the task may still have ${formatCount(left, 'new plan')}, including yours.`,
  ].join('\n\n');
}

function formatStanding({ id, status, attempts, reason }: PlanSoFar['subtasks'][number]): string {
  const tried = attempts === 0 ? '' : `, ${formatCount(attempts, 'attempt')}`;
  return `- ${id}: ${status}${tried}${reason === undefined ? '' : `: ${clip(oneLine(reason), limits.planner.purpose)}`}`;
}
