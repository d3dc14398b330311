import { log, metricMeter } from '@temporalio/workflow';
import type { LoggedEvent, TaskEvent } from '../domain/events.ts';

// The SDK passes both on only when the workflow does not replay: each fact is counted and logged once.
const attempts = metricMeter.createCounter('heddle_attempts', undefined, 'Attempts that ended, by outcome');
const recoveries = metricMeter.createCounter(
  'heddle_recoveries',
  undefined,
  'Attempts that passed after a failure, by the rung that they passed at',
);
const reruns = metricMeter.createCounter('heddle_reruns', undefined, 'Attempts that ran again, by reason');
const opened = metricMeter.createCounter('heddle_decisions_opened', undefined, 'Questions that were asked, by kind');
const ended = metricMeter.createCounter('heddle_tasks_ended', undefined, 'Tasks that ended, by state');

/** The Prometheus counters of a worker. */
export function countEvent(event: TaskEvent): void {
  switch (event.type) {
    case 'attempt.passed':
      attempts.add(1, { outcome: 'passed' });
      if (event.attempt > 1) recoveries.add(1, { rung: event.record.rung });
      return;
    case 'attempt.failed':
      attempts.add(1, { outcome: 'failed' });
      return;
    case 'attempt.rerun':
      reruns.add(1, { reason: event.reason });
      return;
    case 'decision.opened':
      opened.add(1, { kind: event.decision.kind });
      return;
    case 'task.ended':
      ended.add(1, { state: event.state });
      return;
    default:
  }
}

/** One line of the worker's log for each event, with what it is about; the sentence is the one that people are told. */
export function logEvent(task: string, { id, type, text, subtask, attempt }: LoggedEvent): void {
  log.info(text, {
    task,
    event: type,
    eventId: id,
    ...(subtask === undefined ? {} : { subtask }),
    ...(attempt === undefined ? {} : { attempt }),
  });
}
