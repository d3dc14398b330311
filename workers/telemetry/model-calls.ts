import { Runtime } from '@temporalio/worker';
import type { ModelCall } from '../../domain/llm/model-call.ts';
import { countsOfCall } from '../../domain/views/metric-counts.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { addCount, recordLatency } from './instruments.ts';

/** Takes a call of a model into the metrics and the log of this worker: one line each, and nothing of what was said. */
export function recordModelCall(call: ModelCall): void {
  const { asker, model, outcome, ms, reply } = call;
  for (const count of countsOfCall(call)) addCount(count);
  recordLatency(ms, { role: asker.role, model, outcome });
  const about = {
    ...{ ...asker, model, outcome, ms },
    ...(reply === undefined ? {} : { tokens: reply.usage, costUsd: reply.costUsd }),
  };
  const { logger } = Runtime.instance();
  const isTrouble = outcome !== 'ok' && outcome !== 'stopped';
  logger[isTrouble ? 'warn' : 'info'](formatCall(call), about);
}

function formatCall({ model, outcome, ms, reply }: ModelCall): string {
  const after = formatDuration(ms);
  if (reply === undefined) return `the model ${model} did not answer (${outcome}) after ${after}`;
  const { input, output } = reply.usage;
  const how = outcome === 'refusal' ? 'refused' : 'answered';
  return `the model ${model} ${how} after ${after}: ${input} tokens in, ${output} out`;
}
