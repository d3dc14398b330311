import type { ExecutorCall, HostKind } from '../executors/kinds.ts';
import type { ToolServer } from './basic/tool-server.ts';
import type { ContextRules } from './basic/compaction-rules.ts';
import type { AskedCheck, GateRules, SandboxSetting, WebSetting } from './basic/gate.ts';
import type { ScanLimits } from './judgement.ts';
import type { Model } from './llm.ts';
import type { PromptChanges } from './basic/prompt-sections.ts';
import type { Ref } from './basic/ref.ts';
import type { RemediationPolicy } from './basic/remediation.ts';
import type { RecoveryOverrides, Rung, Subtask, SubtaskStatus, Tier, WhenUnchecked } from './subtask.ts';

export type { ExecutorCall, HostKind };

/** The file for the records of a subtask at the end, and whether it meets targets together with others. */
export interface EvidenceRow {
  ledger: string | false;
  shared?: true;
}

/** The facts of a subtask that the rules need: when it may start, how hard to try. Its work stays in the store. */
export interface PlanRow extends Pick<Subtask, 'id' | 'dependsOn' | 'deliverables' | 'synthesis' | 'maxAttempts'> {
  tier: Tier;
  call: ExecutorCall;
  /** Number of its verify commands: they decide how long its verification may take. */
  commands: number;
  /** Those of them that a person is asked about before it starts. */
  askedChecks?: AskedCheck[];
  /** Its failure for good stops the task. */
  critical?: true;
  /** The policy for a result that misses only evidence, where a person is not simply asked. */
  remediation?: Exclude<RemediationPolicy, 'block'>;
  /** The phase of the process that it belongs to. */
  phase?: string;
  isolation?: 'worktree';
  /** Models judge what passed its checks. */
  verification?: 2 | 3;
  /** It owes evidence. */
  evidence?: EvidenceRow;
  /** The reader of a result that nothing checked, where a model planned it. */
  whenUnchecked?: WhenUnchecked;
  /** Overrides the task's. */
  ladder?: Rung[];
  recovery: RecoveryOverrides;
}

/** The definitions of some subtasks that follow each other in the plan, in the store. */
export interface PlanPage extends Ref {
  /** The place of the first of them in the plan, and how many there are. */
  from: number;
  count: number;
}

/** The content of a page: everything that an activity needs of a subtask and that is not in its input. */
export interface PlanPageContent {
  goal: string;
  /** Names of the variables that any subtask of the plan is given and whose values must not show up: one may print what another was given. */
  variables: string[];
  /** Models that the task may use, where a subtask needs one. */
  models?: Model[];
  /** Folders outside of the workspace that tools may read: absolute. */
  readRoots?: string[];
  /** The sandbox of agents' commands. */
  sandbox?: SandboxSetting;
  /** Rules for actions that are asked about, or denied, before they happen. */
  gates?: GateRules;
  /** Servers of tools that agents of the plan may use: names of variables only. */
  servers?: ToolServer[];
  /** Hosts of a network of one's own, where the rules let agents read the web. */
  web?: WebSetting;
  /** Rules that keep conversations inside a model's window, where the config differs from the default. */
  context?: Partial<ContextRules>;
  /** The config's changes of prompts. */
  prompts?: PromptChanges;
  /** The project's notes for agents, in the store. */
  projectNotes?: Ref;
  /** The values of the inputs of a process, as variables of commands. */
  inputs?: Record<string, string>;
  /** Limits of the search for what judges claim, where there are judges; null: no search. */
  scan?: ScanLimits | null;
  subtasks: Subtask[];
}

/** The plan that a task follows now. It can be replaced by a later version; the setting cannot. */
export interface Plan {
  version: number;
  rows: PlanRow[];
  pages: PlanPage[];
  /** The whole definitions, where they are small enough to be looked at in the history. */
  definitions: Subtask[] | null;
  /** The plan that a model or a person wrote in place of the one that was sent, in the store. A retry takes it over. */
  written?: Ref;
  /** The conversation with the model that made it, in the store. */
  transcript?: Ref;
}

/** The common part of many rows. */
export interface PackedRowKind extends Pick<
  PlanRow,
  | 'tier'
  | 'maxAttempts'
  | 'synthesis'
  | 'commands'
  | 'critical'
  | 'phase'
  | 'isolation'
  | 'verification'
  | 'evidence'
  | 'whenUnchecked'
> {
  /** Places in the lists of the plan. */
  call: number;
  recovery: number;
  ladder?: number;
}

/** A row by numbers: dependencies by their place in the plan, the rest by its place in the lists. */
export interface PackedRow {
  id: string;
  kind: number;
  dependsOn?: number[];
  deliverables?: number[];
  askedChecks?: AskedCheck[];
}

/** A plan as it travels: what is said often stands once, so that thousands of subtasks fit into one value of the history. */
export interface PackedPlan extends Pick<Plan, 'version' | 'pages' | 'definitions' | 'written' | 'transcript'> {
  rows: PackedRow[];
  kinds: PackedRowKind[];
  calls: ExecutorCall[];
  recoveries: RecoveryOverrides[];
  ladders: Rung[][];
  deliverables: string[];
}

/** The plan that a planner is to change, as it is told. */
export interface PlanSoFar {
  version: number;
  /** Reason for another plan. */
  reason: string;
  /** Pages of the definitions. */
  pages: PlanPage[];
  /** The plan that was written in place of the one that was sent. */
  written?: Ref;
  /** `superseded`: an earlier version had no use for it any more. */
  subtasks: { id: string; status: SubtaskStatus; attempts: number; reason?: string; superseded?: true }[];
  /** Those that cannot go on as they are: the new plan changes or supersedes them. */
  exhausted: string[];
  /** Steering of people for all subtasks. */
  steering: string[];
  /** New plans that the task may still have, with this one. */
  left: number;
}

export interface Superseded {
  id: string;
  reason: string;
}

/** A new plan as a planner gives it: ids that are neither kept nor superseded would be lost, and are refused. */
export interface Replan {
  reason: string;
  /** Subtasks of the plan so far: they stay as they are, but for what is said of them here. */
  kept: (Pick<Subtask, 'id'> & Partial<Subtask>)[];
  added: Subtask[];
  superseded: Superseded[];
}

/** The differences that a new plan makes. */
export interface PlanChanges {
  reason: string;
  added: string[];
  /** Not finished ones that are to do something else. */
  retargeted: string[];
  superseded: Superseded[];
}

/** A version of the plan after the first. */
export interface PlanVersion extends PlanChanges {
  version: number;
  at: number;
}
