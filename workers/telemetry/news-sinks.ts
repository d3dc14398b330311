import { type InjectedSinks, Runtime } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { Count } from '../../domain/task/counters.ts';
import type { NewsLine, NewsSinks, Told } from '../../workflows/news.ts';
import { addCount } from './instruments.ts';

/** Takes what tasks tell their worker into its log and its metrics, as if the SDK had brought it line by line. */
export const newsSinks: InjectedSinks<NewsSinks> = {
  heddle: {
    tell: {
      fn(info, told) {
        const { lines, counts } = JSON.parse(told) as Told;
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
  addCount({ name, by, tags: { namespace, taskQueue, workflowType, ...tags } });
}
