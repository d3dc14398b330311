import { type InjectedSinks, Runtime } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { Count } from '../../domain/views/metric-counts.ts';
import type { NewsLine, NewsSinks, NewsBatch } from '../../workflows/shared/worker-news.ts';
import { addCount } from './instruments.ts';

/**
 * Takes what tasks tell their worker into its log and its metrics, as if the SDK had brought it line by line. Not at once: the SDK sends
 * what a workflow task has decided only when its sinks have returned, and nobody who waits for an answer waits for a log.
 */
export const newsSinks: InjectedSinks<NewsSinks> = {
  heddle: {
    report: {
      fn: (info, news) => void setImmediate(take, info, news),
    },
  },
};

/** Hears of tasks that end on the workers of this process. */
type EndListener = (ended: { namespace: string; workflowId: string; task: string }) => void;

const endListeners = new Set<EndListener>();

export const onTaskEnd = (listener: EndListener): void => void endListeners.add(listener);

/** No caller is left to catch anything: a disk that is full must not end the worker. */
function take(info: WorkflowInfo, news: string): void {
  try {
    const { lines, counts } = JSON.parse(news) as NewsBatch;
    for (const line of lines) log(info, line);
    for (const { about } of lines) if (about.event === 'task.ended') notifyEnd(info, about.task);
    for (const count of counts) add(info, count);
  } catch (error) {
    Runtime.instance().logger.error('an event of a task could not be logged', { workflowId: info.workflowId, error });
  }
}

function notifyEnd({ namespace, workflowId }: WorkflowInfo, task: string): void {
  for (const listener of endListeners) listener({ namespace, workflowId, task });
}

function log({ namespace, taskQueue, workflowId, runId, workflowType }: WorkflowInfo, { text, about }: NewsLine): void {
  const where = { sdkComponent: 'workflow', namespace, taskQueue, workflowId, runId, workflowType };
  Runtime.instance().logger.info(text, { ...where, ...about });
}

function add({ namespace, taskQueue, workflowType }: WorkflowInfo, { name, by, tags }: Count): void {
  addCount({ name, by, tags: { namespace, taskQueue, workflowType, ...tags } });
}
