import type { TaskEvent } from '../model/events.ts';
import type { AttemptRecord } from '../model/record.ts';

/** Names and what they count; Prometheus shows them with `_total` behind. */
export const counters = {
  heddle_attempts: 'Attempts that ended, by outcome',
  heddle_recoveries: 'Attempts that passed after a failure, by the rung that they passed at',
  heddle_reruns: 'Attempts that ran again, by reason',
  heddle_decisions_opened: 'Questions that were asked, by kind',
  heddle_tasks_ended: 'Tasks that ended, by state',
  heddle_judgements: 'Results that were judged, by outcome; `inconclusive` where the files contradicted the judge',
  heddle_model_calls: 'Model calls of attempts that ended, by model',
  heddle_model_tokens: 'Tokens of attempts that ended, by model',
  heddle_model_cost_microusd: 'Millionths of a dollar that attempts that ended cost, by model',
} as const;

export interface Count {
  name: keyof typeof counters;
  by: number;
  tags: Record<string, string | number>;
}

/** What the counters of the worker gain by an event. */
export function countsOf(event: TaskEvent): Count[] {
  switch (event.type) {
    case 'attempt.passed': {
      const recovered: Count[] = event.attempt > 1 ? [one('heddle_recoveries', { rung: event.record.rung })] : [];
      return [one('heddle_attempts', { outcome: 'passed' }), ...recovered, ...modelCounts(event.record)];
    }
    case 'attempt.failed':
      return [one('heddle_attempts', { outcome: 'failed' }), ...modelCounts(event.record)];
    case 'verdict':
      return event.judgement === undefined ? [] : [one('heddle_judgements', { outcome: event.judgement.outcome })];
    case 'attempt.rerun':
      return [one('heddle_reruns', { reason: 'crash' })];
    case 'decision.opened':
      return [one('heddle_decisions_opened', { kind: event.decision.kind })];
    case 'task.ended':
      return [one('heddle_tasks_ended', { state: event.state })];
    default:
      return [];
  }
}

const one = (name: Count['name'], tags: Count['tags']): Count => ({ name, by: 1, tags });

const modelCounts = ({ models = [] }: AttemptRecord): Count[] =>
  models.flatMap(({ model, calls, tokens, costUsd }) => [
    { name: 'heddle_model_calls', by: calls, tags: { model } },
    { name: 'heddle_model_tokens', by: tokens, tags: { model } },
    // Counters are whole numbers.
    { name: 'heddle_model_cost_microusd', by: Math.round(costUsd * 1e6), tags: { model } },
  ]);
