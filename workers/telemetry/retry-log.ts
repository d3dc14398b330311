import { appendFileSync, mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { retryLogs } from '../../activities/home/home-layout.ts';
import type { RetryEntry } from '../../domain/attempt/retry-entry.ts';

/** A log of failures and of how each was tried again: a file for people and one of JSON lines for each day. Nothing that is retried depends on it. */
export class RetryLog {
  readonly #folder: string;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(folder: string, logger: Pick<Logger, 'warn'>) {
    this.#folder = folder;
    this.#logger = logger;
  }

  write(entries: readonly RetryEntry[]): void {
    for (const entry of entries) {
      const { text, json } = retryLogs(this.#folder, entry.timestamp.slice(0, 10));
      try {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        // One call each: several workers of a home write to the same files.
        appendFileSync(json, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
        appendFileSync(text, formatLines(entry), { mode: 0o600 });
      } catch (error) {
        this.#logger.warn({ err: error }, 'the retry log could not be written');
      }
    }
  }
}

function formatLines(entry: RetryEntry): string {
  const head = `[${entry.timestamp}] [RETRY] [${entry.task_id}]`;
  return formatEntry(entry)
    .map((text) => `${head} ${text}\n`)
    .join('');
}

function formatEntry(entry: RetryEntry): string[] {
  switch (entry.event) {
    case 'attempt': {
      const { attempt, status, failure_type, error, suggested_fix } = entry;
      return [
        `attempt=${attempt} status=${status}${failure_type === undefined ? '' : ` type=${failure_type}`}`,
        ...(error === undefined ? [] : [`error=${JSON.stringify(error)}`]),
        ...(suggested_fix === undefined ? [] : [`suggested_fix=${JSON.stringify(suggested_fix)}`]),
      ];
    }
    case 'feedback_injected':
      return [`injecting_feedback attempt=${entry.attempt}`];
    case 'escalated':
      return [`escalating reason=${JSON.stringify(entry.reason)}`];
    case 'user_response':
      return [`user_response=${JSON.stringify(entry.response)}`];
    case 'resolved':
      return [`resolved status=${entry.resolution}`];
  }
}
