import type { StatusView } from '../../domain/views/task-status.ts';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** Decides by the events and the status of a task whether it can continue without a person. */
export class PersonNeeded {
  readonly #handle: Pick<TaskHandle, 'events'>;
  #last: number;
  /** Undefined: not known, as the events that tell it are before those that are followed. */
  #pausedByEscalations: boolean | undefined;

  /** The task is followed from the event after `since`. */
  constructor(handle: Pick<TaskHandle, 'events'>, since: number) {
    this.#handle = handle;
    this.#last = since;
    this.#pausedByEscalations = since === 0 ? false : undefined;
  }

  event(event: EventOfTask): void {
    this.#last = event.id;
    if (event.type === 'task.paused') this.#pausedByEscalations = event.by === 'escalations';
    if (event.type === 'task.resumed') this.#pausedByEscalations = false;
  }

  /** `ahead` where the status knows of events that were not followed yet: then it has to be read again after them. */
  async check(status: StatusView): Promise<boolean | 'ahead'> {
    const waits = status.state === 'waiting' || (status.state === 'paused' && (await this.#isPausedByEscalations()));
    if (!waits || status.decisions.length === 0) return false;
    return status.lastEventId > this.#last ? 'ahead' : true;
  }

  async #isPausedByEscalations(): Promise<boolean> {
    if (this.#pausedByEscalations === undefined) {
      const events = await this.#handle.events();
      const last = events.findLast(({ type }) => type === 'task.paused' || type === 'task.resumed');
      this.#pausedByEscalations ??= last?.type === 'task.paused' && last.by === 'escalations';
    }
    return this.#pausedByEscalations;
  }
}
