import type { Context } from '@temporalio/activity';
import * as z from 'zod';

import { newsQuery, type NewsQuestion, type TaskNews } from '../../domain/types/agent.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { untilAborted } from '../system/until-aborted.ts';

/** Asks the task what is new for this attempt; nothing where it cannot be asked in time, or before it is stopped. Never throws. */
export type AskTask = (since: number, signal: AbortSignal) => Promise<TaskNews>;

const newsSchema: z.ZodType<TaskNews> = z.object({
  paused: z.boolean(),
  steering: z.array(z.object({ id: z.int().min(1), text: z.string() })),
});

const nothingNew: TaskNews = { paused: false, steering: [] };

interface AskParts {
  subtask: string;
  logger: Pick<Context['log'], 'warn'>;
}

/**
 * By a query, which is answered from the workflow's own state: whatever a person was told to be taken is in the answer. It writes no
 * history, and holds nobody for long: an agent whose task cannot be asked works on with what it knows, and that is said once.
 */
export function askTaskFrom(context: Context, { subtask, logger }: AskParts): AskTask {
  let isSilent = false;
  let wasLogged = false;
  return async (since, signal) => {
    const { patient, hasty } = activityLimits.agent.news;
    // Not the client's own deadline: that is for one request, and it tries again for as long as it likes.
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(isSilent ? hasty : patient)]);
    try {
      const answer = await untilAborted(ask(context, { subtask, since }), inTime);
      const news = newsSchema.parse(answer);
      isSilent = false;
      return news;
    } catch (error) {
      if (signal.aborted) return nothingNew;
      if (!wasLogged)
        logger.warn('the task cannot be asked what is new; its agent works on without', { subtask, error });
      wasLogged = true;
      isSilent = true;
      return nothingNew;
    }
  };
}

async function ask({ client, info }: Context, question: NewsQuestion): Promise<unknown> {
  const { workflowId, runId } = info.workflowExecution ?? {};
  if (workflowId === undefined) throw new Error('there is no task behind this activity');
  return client.workflow.getHandle(workflowId, runId).query<unknown, [NewsQuestion]>(newsQuery, question);
}
