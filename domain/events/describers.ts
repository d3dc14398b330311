import type { ShownEvent, TaskEvent } from '../types/events.ts';

export type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

export type EventByType = { [Type in TaskEvent['type']]: EventOf<Type> };

/** How each type of event is shown to people; null: it is not shown. */
export type Describers = { [Type in keyof EventByType]: (event: EventByType[Type]) => ShownEvent | null };
