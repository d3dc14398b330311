import type { EventOfTask, TaskHandle } from '../../client/index.ts';

type Type = EventOfTask['type'];
export type EventOf<T extends Type> = Extract<EventOfTask, { type: T }>;

const isOf =
  <T extends Type>(type: T) =>
  (event: EventOfTask): event is EventOf<T> =>
    event.type === type;

/** Those of one type, with the facts that the type has. */
export const ofType = <T extends Type>(events: EventOfTask[], type: T): EventOf<T>[] => events.filter(isOf(type));

/** Resolves with the first event of a type that fits; fails when the task ends without it. */
export async function told<T extends Type>(
  task: TaskHandle,
  type: T,
  fits: (event: EventOf<T>) => boolean = () => true,
): Promise<EventOf<T>> {
  const is = isOf(type);
  for await (const event of task.follow()) if (is(event) && fits(event)) return event;
  throw new Error(`task ${task.id} ended without ${type}`);
}
