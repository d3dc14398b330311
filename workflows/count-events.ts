import type { MetricTags } from '@temporalio/common';
import { log, metricMeter } from '@temporalio/workflow';
import type { LoggedEvent, TaskEvent } from '../domain/model/events.ts';
import type { AttemptRecord } from '../domain/model/record.ts';
import type { RetryEntry } from '../domain/model/retry-entry.ts';

/** Names and what they count; Prometheus shows them with `_total` behind. */
const counters = {
  heddle_attempts: 'Attempts that ended, by outcome',
  heddle_recoveries: 'Attempts that passed after a failure, by the rung that they passed at',
  heddle_reruns: 'Attempts that ran again, by reason',
  heddle_decisions_opened: 'Questions that were asked, by kind',
  heddle_tasks_ended: 'Tasks that ended, by state',
  heddle_model_calls: 'Model calls of attempts that ended, by model',
  heddle_model_tokens: 'Tokens of attempts that ended, by model',
  heddle_model_cost_microusd: 'Millionths of a dollar that attempts that ended cost, by model',
} as const;

/** The SDK passes counts and lines on only when the workflow does not replay: each fact stands there once. */
function count(name: keyof typeof counters, tags: MetricTags, by = 1): void {
  // Not kept at the module's level: who imports a workflow for its type alone has no meter.
  metricMeter.createCounter(name, undefined, counters[name]).add(by, tags);
}

function countModels({ models = [] }: AttemptRecord): void {
  for (const { model, calls, tokens, costUsd } of models) {
    count('heddle_model_calls', { model }, calls);
    count('heddle_model_tokens', { model }, tokens);
    // Counters are whole numbers.
    count('heddle_model_cost_microusd', { model }, Math.round(costUsd * 1e6));
  }
}

/** The Prometheus counters of a worker. */
export function countEvent(event: TaskEvent): void {
  switch (event.type) {
    case 'attempt.passed':
      count('heddle_attempts', { outcome: 'passed' });
      if (event.attempt > 1) count('heddle_recoveries', { rung: event.record.rung });
      countModels(event.record);
      return;
    case 'attempt.failed':
      count('heddle_attempts', { outcome: 'failed' });
      countModels(event.record);
      return;
    case 'attempt.rerun':
      count('heddle_reruns', { reason: 'crash' });
      return;
    case 'decision.opened':
      count('heddle_decisions_opened', { kind: event.decision.kind });
      return;
    case 'task.ended':
      count('heddle_tasks_ended', { state: event.state });
      return;
    default:
  }
}

/** One line of the worker's log for each event, with what it is about; the sentence is the one that people are told. */
export function logEvent(task: string, event: LoggedEvent, retry: readonly RetryEntry[]): void {
  const { id, type, text } = event;
  log.info(text, {
    task,
    event: type,
    eventId: id,
    ...('subtask' in event ? { subtask: event.subtask } : {}),
    ...('attempt' in event ? { attempt: event.attempt } : {}),
    // The worker takes these into its retry log.
    ...(retry.length === 0 ? {} : { retry }),
  });
}
