import type { DecisionKind } from '../types/decision.ts';

/* The names that the contract promises outside of this code. Everything that builds or reads one of them does it here. */

/** Workflow types, as the Web UI and a bare client spell them. */
export const workflowTypes = { task: 'task', project: 'project' } as const;

/** The task queue of workers unless they are told otherwise. */
export const defaultTaskQueue = 'heddle';

const taskPrefix = 'task-';

export const buildWorkflowId = (taskId: string): string => `${taskPrefix}${taskId}`;

/** `HEDDLE_TASK_ID` has no prefix; a bare client may have chosen a workflow id without one. */
export const parseTaskId = (workflowId: string): string =>
  workflowId.startsWith(taskPrefix) ? workflowId.slice(taskPrefix.length) : workflowId;

/** The workflow that holds the memory of a project. */
export const buildProjectWorkflowId = (project: string): string => `project-${project}`;

/** Visibility queries: every task, and those that have not ended. */
export const allTasksQuery = `WorkflowType = '${workflowTypes.task}' AND ExecutionStatus != 'ContinuedAsNew'`;
export const openTasksQuery = `${allTasksQuery} AND ExecutionStatus = 'Running'`;

const hostPart = '-host-';

/** The queue of the activities that need the files of one host. */
export const buildHostQueue = (taskQueue: string, host: string): string => `${taskQueue}${hostPart}${host}`;

/** The host of such a queue; undefined when it is another queue. */
export function hostOfQueue(queue: string, taskQueue: string): string | undefined {
  const prefix = `${taskQueue}${hostPart}`;
  return queue.startsWith(prefix) && queue.length > prefix.length ? queue.slice(prefix.length) : undefined;
}

/** The work of an activity for an attempt. */
const activityVerbs = ['execute', 'verify', 'judge', 'merge', 'revert', 'diagnose', 'phrase', 'learn'] as const;

export type ActivityVerb = (typeof activityVerbs)[number];

/** The call of an activity for one attempt of a subtask. */
export interface AttemptCall {
  subtask: string;
  attempt: number;
  verb: ActivityVerb;
}

export const buildActivityId = ({ subtask, attempt, verb }: AttemptCall): string => `${subtask}-${attempt}-${verb}`;

const activityId = new RegExp(`^(?<subtask>.+)-(?<attempt>[1-9][0-9]*)-(?<verb>${activityVerbs.join('|')})$`, 'su');

/**
 * The call behind an activity's id. Of an activity that nobody has started, or that is not ours, the server tells no more than this
 * id. Undefined for an activity that belongs to no attempt.
 */
export function parseActivityId(id: string | null | undefined): AttemptCall | undefined {
  const { subtask, attempt, verb } = activityId.exec(id ?? '')?.groups ?? {};
  const knownVerb = activityVerbs.find((one) => one === verb);
  if (subtask === undefined || attempt === undefined || knownVerb === undefined) return undefined;
  return { subtask, attempt: Number(attempt), verb: knownVerb };
}

/** Kinds of questions to a person, as `HeddleWaitingOn` and `heddle_decisions_open` name them; a new kind does not compile without its entry. */
const isDecisionKind: Readonly<Record<DecisionKind, true>> = {
  approval: true,
  escalation: true,
  plan: true,
  budget: true,
  question: true,
};

export const decisionKinds: readonly DecisionKind[] = Object.keys(isDecisionKind).filter((kind): kind is DecisionKind =>
  Object.hasOwn(isDecisionKind, kind),
);

/** The file beside the output of a running agent that holds the reply that its model is giving: see `DraftLog`. */
export const draftName = 'draft.log';
