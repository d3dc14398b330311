import { currentUpdateInfo, proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { LoggedEvent, TaskEvent } from '../../../domain/types/events.ts';
import type { RetryEntry } from '../../../domain/attempt/retry-entry.ts';
import { type Count, listCounts } from '../../../domain/views/metric-counts.ts';

/** One line of the worker's log: the sentence that people are told of an event, and what it is about. */
export interface NewsLine {
  text: string;
  about: {
    task: string;
    event: LoggedEvent['type'];
    eventId: number;
    subtask?: string;
    attempt?: number;
    /** The worker takes these into its retry log. */
    retry?: readonly RetryEntry[];
    /** Of the update that caused it, as the SDK names them. */
    updateId?: string;
    updateName?: string;
  };
}

/** What one call tells. */
export interface NewsBatch {
  lines: NewsLine[];
  counts: Count[];
}

/** The worker's end of it is among the options that Heddle counts on. `told` is JSON: to copy objects from thread to thread costs several times as much. */
export interface NewsSinks extends Sinks {
  heddle: { tell(told: string): void };
}

/**
 * What a task tells its worker: lines for the log, counts for the metrics. They are collected, since every call of a sink costs a copy of
 * all that Temporal knows of the workflow.
 */
export class News {
  private lines: NewsLine[] = [];
  private counts: Count[] = [];

  count(event: TaskEvent): void {
    this.counts.push(...listCounts(event));
  }

  add(task: string, event: LoggedEvent, retry: readonly RetryEntry[]): void {
    const { id: eventId, type, text } = event;
    const update = currentUpdateInfo();
    const about = {
      task,
      event: type,
      eventId,
      ...('subtask' in event ? { subtask: event.subtask } : {}),
      ...('attempt' in event ? { attempt: event.attempt } : {}),
      ...(retry.length === 0 ? {} : { retry }),
      ...(update === undefined ? {} : { updateId: update.id, updateName: update.name }),
    };
    this.lines.push({ text, about });
  }

  /** Only when the workflow does not replay: each fact stands there once. */
  send(): void {
    const { lines, counts } = this;
    if (lines.length === 0 && counts.length === 0) return;
    this.lines = [];
    this.counts = [];
    const batch: NewsBatch = { lines, counts };
    if (!workflowInfo().unsafe.isReplaying) proxySinks<NewsSinks>().heddle.tell(JSON.stringify(batch));
  }
}
