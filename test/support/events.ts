import type { EventOfTask, TaskHandle } from '../../client/index.ts';

export type EventOf<Type extends EventOfTask['type']> = Extract<EventOfTask, { type: Type }>;

/** Fits the events of one type; those of one subtask, when it is named. */
export const isEvent =
  <Type extends EventOfTask['type']>(type: Type, subtask?: string) =>
  (event: EventOfTask): event is EventOf<Type> =>
    event.type === type && (subtask === undefined || ('subtask' in event && event.subtask === subtask));

/** The events of one type, in their order. */
export const eventsOf = <Type extends EventOfTask['type']>(
  events: readonly EventOfTask[],
  type: Type,
  subtask?: string,
): EventOf<Type>[] => events.filter(isEvent(type, subtask));

/** Fits the event of a question; of the one with this id, when it is named. */
export const decisionOpened =
  (id?: string) =>
  (event: EventOfTask): event is EventOf<'decision.opened'> =>
    event.type === 'decision.opened' && (id === undefined || event.decision.id === id);

/** Resolves with the first event that fits; fails when the task ends without it. */
export async function eventOf<Event extends EventOfTask>(
  task: TaskHandle,
  fits: (event: EventOfTask) => event is Event,
  since?: number,
): Promise<Event>;
export async function eventOf(
  task: TaskHandle,
  fits: (event: EventOfTask) => boolean,
  since?: number,
): Promise<EventOfTask>;
export async function eventOf(
  task: TaskHandle,
  fits: (event: EventOfTask) => boolean,
  since = 0,
): Promise<EventOfTask> {
  for await (const event of task.follow({ since })) if (fits(event)) return event;
  throw new Error(`task ${task.id} ended without the event`);
}

/** Waits for the end and says how it was, whatever it was. The server says when: a worker that is asked at each event works twice. */
export async function endOf(task: TaskHandle): Promise<EventOf<'task.ended'>['state']> {
  await task.result().catch(() => undefined);
  await task.end();
  for await (const event of task.follow()) if (event.type === 'task.ended') return event.state;
  throw new Error(`task ${task.id} has no end`);
}
