import type { TaskEvent } from '../types/events.ts';
import type { ModelCall } from '../llm/model-call.ts';

/** Names and what they count; Prometheus shows them with `_total` behind. */
export const counters = {
  heddle_attempts: 'Attempts that ended, by outcome',
  heddle_recoveries: 'Attempts that passed after a failure, by the rung that they passed at',
  heddle_reruns: 'Attempts that ran again, by reason',
  heddle_decisions_opened: 'Questions that were asked, by kind',
  heddle_tasks_ended: 'Tasks that ended, by state',
  heddle_judgements: 'Results that were judged, by outcome; `inconclusive` where the files contradicted the judge',
  heddle_model_calls: 'Model calls, by role, model and outcome',
  heddle_model_tokens:
    'Tokens of model calls that were answered, by role, model and kind: in (without cached), cached, out',
  heddle_model_cost_microusd: 'Millionths of a dollar that answered model calls cost, by role and model',
} as const;

/** Times, by role, model and outcome of a model call; Prometheus shows them with the unit behind. From what is instant to what thinks for minutes. */
export const histograms = {
  heddle_model_latency: {
    unit: 'seconds',
    about: 'Time until a model call was answered or failed, by role, model and outcome',
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600],
  },
} as const;

export interface Count {
  name: keyof typeof counters;
  by: number;
  tags: Record<string, string | number>;
}

/** Counts that an event adds to the worker's metrics. */
export function listCounts(event: TaskEvent): Count[] {
  switch (event.type) {
    case 'attempt.passed': {
      const outcome = event.record.verdict === 'unchecked' ? 'unchecked' : 'passed';
      const recovered: Count[] =
        event.attempt > 1 && outcome === 'passed' ? [one('heddle_recoveries', { rung: event.record.rung })] : [];
      return [one('heddle_attempts', { outcome }), ...recovered];
    }
    case 'attempt.failed':
      return [one('heddle_attempts', { outcome: 'failed' })];
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

/** Counts of one model call. A call without a reply may have cost something: nobody can tell, so it is not here. */
export function countsOfCall({ model, asker, outcome, reply }: ModelCall): Count[] {
  const tags = { role: asker.role, model };
  const call = one('heddle_model_calls', { ...tags, outcome });
  if (reply === undefined) return [call];
  const { usage, costUsd } = reply;
  const tokens = { in: Math.max(0, usage.input - usage.cached), cached: usage.cached, out: usage.output };
  return [
    call,
    ...Object.entries(tokens).map(([kind, by]): Count => ({
      name: 'heddle_model_tokens',
      by,
      tags: { ...tags, kind },
    })),
    // Counters are whole numbers.
    { name: 'heddle_model_cost_microusd', by: Math.round(costUsd * 1e6), tags },
  ];
}
