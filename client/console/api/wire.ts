import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import type { Card as WireCard, Inbox } from '../../wire/decision.ts';
import type { AnsweredBatch, CheckedPlan } from '../../wire/outcomes.ts';
import type { GivenAnswer } from '../../wire/problem.ts';
import type { Me, Role } from '../../wire/session.ts';
import type { Task, TaskRow } from '../../wire/task.ts';
import type { TaskDiff } from '../../wire/work.ts';
import type { Decision, DecisionOption, OptionId, OptionValue } from '../../../domain/types/decision.ts';
import type { LoggedEvent } from '../../../domain/types/events.ts';

export type { AttemptView, Decision, DecisionOption, LoggedEvent, Me, OptionId, OptionValue, Role, TaskRow };

export type { AnsweredBatch, CheckedPlan, GivenAnswer, TaskDiff };

/** A task that did not answer, and why. */
export type SilentTask = Inbox['silent'][number];

/** A question with the task that it belongs to; an answered one has its answer. */
export type Card = Decision & Pick<WireCard, 'taskId' | 'goal' | 'answer'>;

/** A question as the stream tells it. */
export type InboxItem = Pick<Card, 'taskId' | 'goal' | 'id' | 'kind' | 'subtask' | 'problem' | 'openedAt'>;

export type SubtaskRow = Task['subtasks'][number];
export type Budget = Task['budget'];
export type ActivityLine = Task['activity'][number];

/** A status of the stream has no links, no lines and no starter. */
export type TaskView = Omit<Task, 'decisions' | 'by' | 'activity' | 'links'> & { decisions: Decision[] } & Partial<
    Pick<Task, 'by' | 'activity' | 'links'>
  >;

/** The parts of a task that changed; its open questions by their ids. */
export type TaskChange = Pick<Task, 'state' | 'summary' | 'subtasks' | 'budget'> & { decisions: string[] };

export interface Paged<Item> {
  items: Item[];
  next: string | number | null;
}

export interface PlannedSubtask {
  id: string;
  description: string;
  dependsOn?: string[];
  tier?: number;
  /** A command, or a command with its name. */
  verify?: (string | { name: string; run: string })[];
  checkNames?: { name: string; run: string }[];
  criteria?: string[];
  deliverables?: string[];
  synthesis?: boolean;
  [key: string]: unknown;
}

export interface PlanFile {
  goal: string;
  subtasks: PlannedSubtask[];
  [key: string]: unknown;
}

type WireProblem = CheckedPlan['problems'][number];

/** A problem of a plan, which the page itself may have found, or of a request, which has no path. */
export type PlanProblem = Omit<WireProblem, 'code' | 'path'> & { code: string } & Partial<Pick<WireProblem, 'path'>>;
