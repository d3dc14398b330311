import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { parseTaskId } from '../../domain/names/names.ts';
import { attributes, searchAttributes } from '../../domain/names/search-attributes.ts';
import { endStateOf, isForced } from './server-end.ts';

/**
 * One row of {@link HeddleClient.list}: what the server knows of a task without asking the task itself.
 *
 * @example
 * ```ts
 * for (const { id, state, waitingOn } of await heddle.list()) console.log(id, state, waitingOn);
 * ```
 */
export interface TaskListing {
  id: string;
  state: string;
  goal: string;
  project: string | null;
  startedAt: string;
  endedAt: string | null;
  waitingOn: string[];
  /** Cost of its models so far, as the server was told last. */
  costUsd: number | null;
  /** The person who started it. */
  by: string | null;
  /** True for the task of `heddle plan`, which only plans: `latest` passes over it. */
  planOnly?: true;
}

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);
const projectKey = defineSearchAttributeKey(attributes.project, searchAttributes.HeddleProject);
const costKey = defineSearchAttributeKey(attributes.costUsd, searchAttributes.HeddleCostUsd);
const waitingKey = defineSearchAttributeKey(attributes.waitingOn, searchAttributes.HeddleWaitingOn);

/** The row of a task: all that the server tells of a task in its lists. */
export function readListing(info: WorkflowExecutionInfo): TaskListing {
  const attributes = info.typedSearchAttributes;
  // The server's word about its end holds. That it was cancelled, a task that ended by itself says better.
  const { name } = info.status;
  const state = attributes.get(stateKey);
  const end = state === 'cancelled' && !isForced(name) ? state : endStateOf(name);
  const { goal, by } = info.memo ?? {};
  return {
    id: parseTaskId(info.workflowId),
    state: end ?? state ?? 'running',
    goal: typeof goal === 'string' ? goal : '',
    project: attributes.get(projectKey) ?? null,
    startedAt: info.startTime.toISOString(),
    endedAt: info.closeTime?.toISOString() ?? null,
    costUsd: attributes.get(costKey) ?? null,
    by: typeof by === 'string' ? by : null,
    ...(info.memo?.['planOnly'] === true ? { planOnly: true as const } : {}),
    waitingOn: endStateOf(name) !== undefined ? [] : (attributes.get(waitingKey) ?? []),
  };
}
