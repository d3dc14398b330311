import type { StatusView } from '../../../domain/task/status.ts';
import type { EventOfTask } from '../../../workflows/messages.ts';
import type { LiveActivity } from '../../task-handle.ts';

/** A way to show a task while it runs. */
export interface View {
  event(event: EventOfTask): void;
  /** What cannot be told as an event. */
  missing(gap: { from: number; to: number; host: string | null }): void;
  /** Why nothing new is told; undefined when it goes on. */
  trouble(what: string | undefined): void;
  /** Given only to a view that has it: it costs the task's worker a query. */
  status?(status: StatusView): void;
  /** Given only to a view that has it: it costs the server a call a second. */
  activity?(activity: readonly LiveActivity[]): void;
  close(): Promise<void>;
}

export const sayMissing = ({ from, to, host }: { from: number; to: number; host: string | null }): string =>
  `${to - from + 1} older events (${from} to ${to}) are in the store of ${host === null ? 'another host' : `host ${host}`}`;
