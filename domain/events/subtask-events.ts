import { formatCount } from '../text/text.ts';
import type { Describers } from './describers.ts';
import { asSentence } from './sentence.ts';

/** How the events of a subtask are shown, those of its attempts aside. */
export const subtaskEvents = {
  'subtask.started': ({ type, subtask }) => ({ type, subtask, text: `${subtask} starts.` }),
  'subtask.completed': ({ type, subtask, verdict, reused }) => {
    if (reused !== undefined) {
      const text = `${subtask} is reused from the task ${reused.task}.`;
      return { type, subtask, verdict, reused: reused.task, text };
    }
    return { type, subtask, verdict, text: `${subtask} is completed${verdict === 'pass' ? '' : ` (${verdict})`}.` };
  },
  'subtask.requeued': ({ type, subtask, task, reason }) => ({
    type,
    subtask,
    task,
    reason,
    text: `${subtask} of the task ${task} is not reused: ${reason}`,
  }),
  'subtask.failed': ({ type, subtask, reason }) => ({ type, subtask, reason, text: `${subtask} failed: ${reason}` }),
  'subtask.skipped': ({ type, subtask, reason }) => ({
    type,
    subtask,
    reason,
    text: `${subtask} is skipped: ${reason}`,
  }),
  'subtask.blocked': ({ type, subtask, reason, independent }) => ({
    type,
    subtask,
    reason,
    independent,
    text: `${subtask} is blocked: ${asSentence(reason)} ${formatIndependent(independent)}`,
  }),
} satisfies Partial<Describers>;

const formatIndependent = (count: number): string =>
  count === 0 ? 'Nothing else can continue.' : `${formatCount(count, 'other subtask')} can continue.`;
