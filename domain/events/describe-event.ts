import type { ShownEvent, TaskEvent } from '../types/events.ts';
import { clip, oneLine } from '../text/text.ts';
import { attemptEvents } from './attempt-events.ts';
import { decisionEvents } from './decision-events.ts';
import type { Describers, EventByType } from './describers.ts';
import { planEvents } from './plan-events.ts';
import { remedyEvents } from './remedy-events.ts';
import { subtaskEvents } from './subtask-events.ts';
import { taskEvents } from './task-events.ts';

/** A sentence longer than this is no sentence; programs and people may give any text. */
const mostText = 600;

/** An event as it is shown: one plain sentence and what it is about; null for events that are not shown. */
export function describeEvent(event: TaskEvent): ShownEvent | null {
  const shown = describeUnclipped(event.type, event);
  return shown === null ? null : { ...shown, text: clip(oneLine(shown.text), mostText) };
}

/** The answer or the end that such an event belongs to tells of it. */
const notShown = (): null => null;

/** An event without an entry in one of these tables does not compile. */
const describers: Describers = {
  ...taskEvents,
  ...planEvents,
  ...decisionEvents,
  ...subtaskEvents,
  ...attemptEvents,
  ...remedyEvents,
  'plan.rejected': notShown,
  'settings.ready': notShown,
  'replan.asked': notShown,
  'replan.started': notShown,
  'replan.declined': notShown,
  'stale.end-planned': notShown,
  'planner.used': notShown,
  'plan.normalised': notShown,
  'attempt.used': notShown,
  'attempt.judging': notShown,
  'attempt.diagnosing': notShown,
  'attempt.diagnosed': notShown,
  'attempt.cancelled': notShown,
  'attempt.rejected': notShown,
  'attempt.answered': notShown,
  'program.permitted': notShown,
  'check.decided': notShown,
  'subtask.retried': notShown,
  'evidence.taken': notShown,
  'attempt.reverted': notShown,
  'remediation.parked': notShown,
  'remediation.last': notShown,
  'budget.raised': notShown,
  'task.finishing': notShown,
  'decision.phrasing': notShown,
  'lesson.extracting': notShown,
};

const describeUnclipped = <Type extends keyof EventByType>(type: Type, event: EventByType[Type]): ShownEvent | null =>
  describers[type](event);
