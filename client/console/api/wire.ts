import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import type { Me, Role } from '../../wire/session.ts';
import type { Task, TaskRow } from '../../wire/task.ts';
import type { Decision, DecisionOption, OptionId, OptionValue } from '../../../domain/types/decision.ts';
import type { LoggedEvent } from '../../../domain/types/events.ts';
import type { ModelUse } from '../../../domain/types/agent.ts';
import type { BudgetKey } from '../../../domain/types/basic/budget.ts';
import type { ChangedFile, OthersFile, OutsideFile, SnapshotGap } from '../../../domain/types/basic/workspace.ts';

export type {
  AttemptView,
  ChangedFile,
  Decision,
  DecisionOption,
  LoggedEvent,
  Me,
  OptionId,
  OptionValue,
  Role,
  TaskRow,
};

export interface InboxItem {
  taskId: string;
  goal: string;
  id: string;
  kind: Decision['kind'];
  subtask: string | null;
  problem: string;
  openedAt: string;
}

export interface GivenAnswer {
  option: OptionId;
  by: string | null;
  at: string;
  source: 'person' | 'policy' | 'standing';
}

/** A task that did not answer, and why. */
export interface SilentTask {
  taskId: string;
  problem: { code: string; message: string };
}

/** A question with the task that it belongs to; an answered one has its answer. */
export type Card = Decision & {
  taskId: string;
  goal: string;
  project?: string | null;
  answer?: GivenAnswer;
};

export type SubtaskRow = Task['subtasks'][number];

export type Budget = Partial<Record<BudgetKey, { used: number; limit: number | null }>>;

export type ActivityLine = Task['activity'][number];

export interface TaskView {
  id: string;
  state: string;
  goal: string;
  summary: string;
  project: string | null;
  host: string | null;
  workspace: string | null;
  planVersion: number;
  startedAt: string;
  endedAt: string | null;
  code: string | null;
  subtasks: SubtaskRow[];
  decisions: Decision[];
  budget: Budget;
  planner?: ModelUse[];
  lastEventId: number;
  by?: string | null;
  activity?: ActivityLine[];
  links?: { webUi?: string | null };
}

/** The parts of a task that changed. */
export interface TaskChange {
  state: string;
  summary: string;
  subtasks: SubtaskRow[];
  decisions: string[];
  budget: Budget;
}

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

export interface PlanProblem {
  code: string;
  message: string;
  where?: string;
  hint?: string;
  path?: (string | number)[] | string;
}

export interface CheckedPlan {
  ok: boolean;
  problems: PlanProblem[];
  subtasks: { id: string; dependsOn: string[] }[];
}

export interface TaskDiff {
  taskId: string;
  subtask: string | null;
  workspace: string | null;
  files: ChangedFile[];
  gaps: SnapshotGap[];
  outside: OutsideFile[];
  changedByOthers?: OthersFile[];
}
