import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { Gap } from '../../follow/read-pages.ts';
import type { LiveActivity } from '../../live/live-activity.ts';

/** A way to show a task while it runs. */
export interface View {
  event(event: EventOfTask): void;
  /** Events that cannot be told, as a store elsewhere has them. */
  missing(gap: Gap, host: string | null): void;
  /** Why nothing new is told; undefined when it goes on. */
  trouble(what: string | undefined): void;
  /** Given only to a view that has it: it costs the task's worker a query. */
  status?(status: StatusView): void;
  /** Given only to a view that has it: it costs the server a call a second. */
  activity?(activity: readonly LiveActivity[]): void;
  close(): Promise<void>;
}
