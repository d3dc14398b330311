import { currentUpdateInfo, proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { LoggedEvent } from '../../domain/types/events.ts';
import type { RetryEntry } from '../../domain/attempt/retry-entry.ts';
import type { Count } from '../../domain/views/metric-counts.ts';

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
    /** The update that caused it, as the SDK names it. */
    updateId?: string;
    updateName?: string;
  };
}

/** The content of one call. */
export interface NewsBatch {
  lines: NewsLine[];
  counts: Count[];
}

/** The worker's end of it is among the options that Heddle counts on. `batch` is JSON: to copy objects from thread to thread costs several times as much. */
export interface NewsSinks extends Sinks {
  heddle: { report(batch: string): void };
}

/**
 * Facts for the worker: lines for its log, counts for its metrics. They are collected, since every call of a sink costs a copy of all that
 * Temporal knows of the workflow.
 */
export class News {
  private lines: NewsLine[] = [];
  private counts: Count[] = [];

  count(counts: readonly Count[]): void {
    this.counts.push(...counts);
  }

  /** A line belongs to the update that is being handled, if there is one. */
  add({ text, about }: NewsLine): void {
    const update = currentUpdateInfo();
    const origin = update === undefined ? {} : { updateId: update.id, updateName: update.name };
    this.lines.push({ text, about: { ...about, ...origin } });
  }

  /** Sends only when the workflow does not replay: each fact is told once. */
  send(): void {
    const { lines, counts } = this;
    if (lines.length === 0 && counts.length === 0) return;
    this.lines = [];
    this.counts = [];
    const batch: NewsBatch = { lines, counts };
    if (!workflowInfo().unsafe.isReplaying) proxySinks<NewsSinks>().heddle.report(JSON.stringify(batch));
  }
}
