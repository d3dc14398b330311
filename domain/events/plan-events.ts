import { formatAmount } from './format-budget.ts';
import { clip, formatCount, formatList, oneLine } from '../text/text.ts';
import type { Plan, PlanChanges } from '../types/plan.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import type { Describers } from './describers.ts';
import { formatRetry, joinSentence, withoutEnd } from './sentence.ts';

/** How it is shown that there is a plan, another one, or none. */
export const planEvents = {
  'plan.ready': ({ type, plan, settings }) => ({
    type,
    text: `The plan has ${formatCount(plan.rows.length, 'subtask')}; at most ${settings.maxParallelSubtasks} run at once.${formatTest(settings)}${formatSpending(settings)}`,
    subtasks: plan.rows.length,
    planVersion: plan.version,
    ...nameTranscript(plan),
  }),
  'plan.degraded': ({ type, reasons, checked, test, process }) => {
    const why = `No plan could be made: ${reasons.map(withoutEnd).join('; ')}.`;
    if (process !== undefined)
      return { type, reasons, checked, text: `${why} The phases of the process ${process} are the plan as they are.` };
    const how = test === undefined ? '' : `, checked with \`${test.command}\` (${test.file})`;
    return {
      type,
      text: `${why} The goal is one subtask${checked ? how : ' without checks'}.`,
      reasons,
      checked,
    };
  },
  'plan.replaced': ({ type, plan, changes }) => {
    const planVersion = plan.version;
    return {
      type,
      planVersion,
      ...changes,
      ...nameTranscript(plan),
      text: `Version ${planVersion} of the plan: ${formatChanges(changes)}`,
    };
  },
  'plan.suspended': (event) => {
    const { type, reason, waitMs, nth, most } = event;
    return { type, reason, waitMs, nth, most, text: `${formatRetry(waitMs, reason, event)}.` };
  },
  'plan.resumed': ({ type }) => ({ type, text: 'The model that plans is asked again.' }),
  'replan.failed': ({ type, reason }) => ({
    type,
    reason,
    text: joinSentence(`No new plan: ${reason}`, 'the current one stays'),
  }),
  'outcome.stale': ({ type, subtask, attempt, version }) => {
    const text = `Attempt ${attempt} of ${subtask} was started by version ${version} of the plan; its result is dropped, its cost counts.`;
    return { type, subtask, attempt, planVersion: version, text };
  },
} satisfies Partial<Describers>;

const nameTranscript = ({ transcript }: Pick<Plan, 'transcript'>): { transcriptRef?: string } =>
  transcript === undefined ? {} : { transcriptRef: transcript.sha256 };

/** How the project tests itself, where that was looked for. */
function formatTest({ planning }: TaskSettings): string {
  const test = planning?.projectTest;
  return test === undefined ? '' : ` The project tests itself with \`${test.command}\` (${test.file}).`;
}

/** The spending limit of a goal that sets none, and what it cannot count. */
function formatSpending({ goalLimit }: TaskSettings): string {
  if (goalLimit === undefined) return '';
  const { costUsd, unpriced } = goalLimit;
  const missing =
    unpriced.length === 0 ? '' : `; calls of ${formatList(unpriced, 3)} have no price and are not counted`;
  return ` The spending limit is ${formatAmount('costUsd', costUsd)}${missing}.`;
}

function formatChanges({ reason, added, retargeted, superseded }: PlanChanges): string {
  const parts = [
    ...(added.length === 0 ? [] : [`new: ${formatList(added)}`]),
    ...(retargeted.length === 0 ? [] : [`changed: ${formatList(retargeted)}`]),
    ...(superseded.length === 0 ? [] : [`superseded: ${formatList(superseded.map(({ id }) => id))}`]),
  ];
  return `${parts.join('; ')}. ${clip(oneLine(reason), 300)}`;
}
