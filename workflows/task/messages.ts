import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { newsQuery, type NewsQuestion, type TaskNews } from '../../domain/types/agent.ts';
import type { DecisionAnswer } from '../../domain/types/decision.ts';
import type { LoggedEvent } from '../../domain/types/events.ts';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { PlanPage, PlanRow } from '../../domain/types/plan.ts';
import type { PlanPreview } from '../../domain/types/planner.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { FinishedSubtask } from '../../domain/types/reuse.ts';
import type { TaskResults } from '../../domain/views/task-results.ts';
import type { StatusView } from '../../domain/views/task-status.ts';

/**
 * Input of the workflow `task`: the content of a plan file as JSON, completed by `prepareTask`. An editor shows the meaning and the default
 * of each key.
 *
 * @example
 * ```ts
 * const input: TaskInput = { goal: 'Publish the release notes', budget: { costUsd: 2 } };
 * const result = await executeChild<typeof task>('task', { args: [input], workflowId: 'task-notes' });
 * ```
 */
export type TaskInput = PlanInput;

/**
 * The result of a task that completed, for the program or the workflow that started it. A task that fails throws instead: its failure has
 * an error code as its type, and holds the same `subtasks` in its details.
 *
 * @example
 * ```ts
 * const { reason, subtasks } = await task.result();
 * const files = subtasks.flatMap(({ deliverables }) => deliverables);
 * ```
 */
export interface TaskResult extends TaskResults {
  state: 'completed';
  reason: string;
  /** Host and folder where the deliverables are, and in whose store the results are. */
  host: string | null;
  workspace: string | null;
  /** The plan of a task that was started for its plan alone. */
  plan?: PlannedView;
}

/** The plan as `heddle plan` prints it: subtasks as a plan file has them. */
export interface PlannedView extends PlanPreview {
  goal: string;
  /** No model could plan it: the goal is one subtask. */
  degraded: boolean;
}

export interface Steer {
  text: string;
  subtask?: string;
  /** A planner changes the plan by it too. */
  replan?: boolean;
  by?: string;
}

/** An answer as it is sent: whether the question has the option is for the task to say. */
export interface AnswerMessage extends Omit<DecisionAnswer, 'option'> {
  option: string;
}

export interface Pause {
  reason?: string;
  by?: string;
}

/** Temporal's own cancellation carries a reason, which names the person too. */
export interface Cancel {
  reason?: string | undefined;
  by?: string | undefined;
}

export interface Resume {
  by?: string;
}

export interface Accepted {
  taskId: string;
}

export interface DecideResult extends Accepted {
  decisionId: string;
  option: string;
}

/**
 * One numbered event of a task, with one plain sentence in `text`.
 *
 * @example
 * ```ts
 * for await (const { id, type, text } of task.follow()) console.log(id, type, text);
 * ```
 */
export type EventOfTask = LoggedEvent & { taskId: string };

/** Each update has a signal of the same name and payload, for callers that cannot wait or have no worker. */
export const updates = {
  decide: defineUpdate<DecideResult, [AnswerMessage]>('decide'),
  steer: defineUpdate<Accepted, [Steer]>('steer'),
  pause: defineUpdate<Accepted, [Pause]>('pause'),
  resume: defineUpdate<Accepted, [Resume]>('resume'),
};

export type MessageName = keyof typeof updates;

/** The settings of the task and its plan. `subtasks` are whole definitions where they are small enough to be shown, else the rows that the rules use. */
export interface PlanView extends TaskSettings {
  planVersion: number;
  subtasks: Subtask[] | PlanRow[];
  /** Pages of the whole definitions, in the store. */
  pages: PlanPage[];
  /** The plan that was written in place of the one that was sent, in the store. */
  written?: Ref;
}

/** A stretch of the log that an older run moved to the store: a JSON array of what the query of the same name answers. */
export interface ArchivePage extends Ref {
  /** The number of the first and the last of it. */
  from: number;
  to: number;
}

export interface Archive {
  events: ArchivePage[];
  attempts: ArchivePage[];
}

export const status = defineQuery<StatusView>('status');
export const plan = defineQuery<PlanView | null>('plan');
/** A page of at most 1 MB, behind the first `after`; empty at the end. */
export const attempts = defineQuery<AttemptView[], [{ after?: number }?]>('attempts');
/** A page of at most 1 MB and `limit` events, behind number `since`; empty at the end. */
export const events = defineQuery<EventOfTask[], [{ since?: number; limit?: number }?]>('events');
/** Completed subtasks, with the results that their dependents are given: `heddle retry` reuses them. Paged as `attempts`. */
export const results = defineQuery<FinishedSubtask[], [{ after?: number }?]>('results');
export const archive = defineQuery<Archive>('archive');
/** Asked by every running agent before each model call: small, and answered from memory. */
export const steering = defineQuery<TaskNews, [Partial<NewsQuestion>?]>(newsQuery);

/** Answers a query while a new run reads its state: nothing is certain until then, and no answer is better than a wrong one. */
export const loadingMessage = 'the task is being loaded from the store; ask again in a moment';

/** Shown in the Web UI's dialogs, where a person copies the example. */
export const descriptions = {
  decide:
    'Answers an open question. Example: {"decisionId":"deploy-1","option":"fix","instruction":"use the staging key","by":"ana"}. The open questions and their options are in the current details.',
  steer:
    'Gives an instruction to running agents before their next model call, and to every attempt that starts later; or to one subtask. With "replan":true a planner also changes the plan to follow it. Example: {"text":"write in British English","subtask":"draft"}',
  pause:
    'Starts nothing new; running programs finish, agents stop before their next model call. Example: {"reason":"release freeze","by":"ana"}',
  resume: 'Resumes the task after a pause. Example: {"by":"ana"}',
  status: 'What the task does now, its subtasks, open questions and budget.',
  plan: 'The complete plan that the task follows.',
  attempts: 'Every attempt with its rung, tier, outcome, failure and checks.',
  events: 'The events of the task, numbered. Example: {"since":0}',
  results: 'Completed subtasks, with the results that their dependents get.',
  steering: 'News for a running agent before its next model call. Example: {"subtask":"draft","since":0}',
  archive: 'The pages in the store with events and attempts that older runs moved there.',
} as const satisfies Record<MessageName, string> & Record<string, string>;
