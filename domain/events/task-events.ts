import { formatDuration } from '../text/duration.ts';
import { clip, formatList, oneLine } from '../text/text.ts';
import type { ShownEvent } from '../types/events.ts';
import type { Describers, EventOf } from './describers.ts';
import { formatBudget } from './format-budget.ts';

/** How the events of a task as a whole are shown, from its start to its end. */
export const taskEvents = {
  'task.started': ({ type, goal }) => ({ type, text: `Started: ${clip(oneLine(goal), 120)}` }),
  'task.steered': ({ type, text, subtask, by }) => ({
    type,
    text: `New instruction${formatWho(by)}${subtask === undefined ? '' : ` for ${subtask}`}: ${clip(oneLine(text), 160)}`,
    instruction: text,
    ...(subtask === undefined ? {} : { subtask }),
    ...nameWho(by),
  }),
  'task.paused': ({ type, reason, by, who }) => ({
    type,
    text: `Paused${formatWho(who)}: ${reason}`,
    reason,
    by,
    ...nameWho(who),
  }),
  'task.resumed': ({ type, who }) => ({ type, text: `Resumed${formatWho(who)}.`, ...nameWho(who) }),
  'task.stalled': ({ type, reasons }) => ({ type, text: `Nothing can continue: ${reasons.join('; ')}`, reasons }),
  'task.cancelling': ({ type, reason }) => ({ type, text: `Stopping: ${reason}`, reason }),
  'task.cancel-forced': ({ type, running, waitedMs }) => {
    const text = `The task ends without ${formatList(running, 5)}, which did not stop within ${formatDuration(waitedMs)}.`;
    return { type, text, running };
  },
  'message.refused': ({ type, message, reason }) => ({
    type,
    text: `A ${message} signal was refused: ${reason}`,
    message,
  }),
  'task.ended': ({ type, state, reason, code, summary }) => ({
    type,
    text: `The task ${ends[state]}: ${reason}`,
    state,
    ...(code === undefined ? {} : { code }),
    ...(summary === undefined ? {} : { summary }),
  }),
  'budget.warning': describeBudget,
  'budget.exhausted': describeBudget,
} satisfies Partial<Describers>;

const formatWho = (who: string | undefined): string => (who === undefined ? '' : ` by ${clip(oneLine(who), 60)}`);
const nameWho = (who: string | undefined): { who?: string } => (who === undefined ? {} : { who });

const ends: Record<EventOf<'task.ended'>['state'], string> = {
  completed: 'is completed',
  failed: 'failed',
  cancelled: 'was cancelled',
};

function describeBudget({ type, key, used, limit }: EventOf<'budget.warning' | 'budget.exhausted'>): ShownEvent {
  const much = type === 'budget.warning' ? 'Most of' : used < limit ? 'Too much of' : 'All of';
  return { type, text: `${much} the budget for ${formatBudget(key)} is used.`, key, used, limit };
}
