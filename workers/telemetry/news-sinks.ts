import { type InjectedSinks, Runtime } from '@temporalio/worker';
import type { MetricCounter, MetricMeter } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { type Count, counters } from '../../domain/task/counters.ts';
import type { NewsLine, NewsSinks } from '../../workflows/news.ts';

/** Takes what tasks tell their worker into its log and its metrics, as if the SDK had brought it line by line. */
export const newsSinks: InjectedSinks<NewsSinks> = {
  heddle: {
    tell: {
      fn(info, lines, counts) {
        for (const line of lines) log(info, line);
        for (const count of counts) add(info, count);
      },
    },
  },
};

function log({ namespace, taskQueue, workflowId, runId, workflowType }: WorkflowInfo, { text, about }: NewsLine): void {
  const where = { sdkComponent: 'workflow', namespace, taskQueue, workflowId, runId, workflowType };
  Runtime.instance().logger.info(text, { ...where, ...about });
}

function add({ namespace, taskQueue, workflowType }: WorkflowInfo, { name, by, tags }: Count): void {
  counterOf(Runtime.instance().metricMeter, name).add(by, { namespace, taskQueue, workflowType, ...tags });
}

/** Each is made once: to make one goes down to the exporter. */
const made = new WeakMap<MetricMeter, Map<Count['name'], MetricCounter>>();

function counterOf(meter: MetricMeter, name: Count['name']): MetricCounter {
  const known = made.get(meter) ?? new Map<Count['name'], MetricCounter>();
  made.set(meter, known);
  const counter = known.get(name) ?? meter.createCounter(name, undefined, counters[name]);
  known.set(name, counter);
  return counter;
}
