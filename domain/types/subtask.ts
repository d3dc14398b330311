import type { Executor } from '../executors/kinds.ts';
import type { EvidenceRules } from './basic/evidence.ts';
import type { AskedCheck } from './basic/gate.ts';
import type { FailureType } from './basic/failure-types.ts';
import type { RemediationPolicy } from './basic/remediation.ts';

export type Tier = 1 | 2 | 3;

export type SubtaskStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'remediating'
  | 'completed'
  | 'failed'
  | 'skipped'
  | 'blocked';

/** Rule by which the votes of several judges fail a result: a single sure vote, or most of them. */
export interface Voting {
  voters: number;
  rule: 'veto' | 'majority';
}

/** Temporal's retry policy, in milliseconds, as a rung carries it. */
export interface RetryPolicy {
  initialInterval: number;
  backoff: number;
  maximumInterval: number;
  maximumAttempts: number;
}

/** One step of the ladder as data. */
export interface Rung {
  tier: 'assigned' | 'next' | 'highest' | Tier;
  feedback: boolean;
  thinking: boolean;
  person: boolean;
  /** The subtask's own changes are undone before an attempt on this rung. */
  restore?: true;
  retry: RetryPolicy;
  /** Overrides the executor's time limit on this rung. */
  timeout?: number;
  /** Factor of the output tokens of a model on this rung. */
  output?: number;
}

export type { CommandExecutor } from '../executors/command.ts';
export type { Executor };

export interface Rule {
  pattern: string;
  in: string[];
  must: 'absent' | 'present';
  severity: 'hard' | 'advisory';
}

/** A plan's own rules for one type of failure; the rest is in `recovery-strategies.ts`. */
export interface Recovery {
  /** Failed attempts of this type at one tier before the ladder climbs. */
  tries?: number;
  /** Wait before the next attempt, in milliseconds. */
  wait?: number;
  /** Factor of the time limit after each failure of this type. */
  timeoutFactor?: number;
  /** Advice for the next attempt about it. */
  emphasis?: string;
}

export type RecoveryOverrides = Partial<Record<FailureType, Recovery>>;

/** A judge, and a person where no judge could be read; or a person at once. */
export type WhenUnchecked = 'judge' | 'ask';

/** A verify command with the name that failures and reports use. */
export interface NamedCheck {
  name: string;
  run: string;
}

export interface Subtask {
  id: string;
  description: string;
  dependsOn: string[];
  tier: Tier;
  executor: Executor;
  deliverables: string[];
  verify: string[];
  /** Names of those of its verify commands that the plan names. */
  checkNames?: NamedCheck[];
  /** A model wrote its verify commands: they run in the sandbox. */
  verifyInSandbox?: true;
  /** Those of them that are its process's: the gate lets them pass. */
  processChecks?: string[];
  /** A person wants them beside everything else, though an agent does the work. */
  verifyOutside?: true;
  /** Those of them that a person is asked about before it starts. */
  askedChecks?: AskedCheck[];
  criteria: string[];
  requiredSections: string[];
  rules: Rule[];
  /** The evidence that it owes. */
  evidence?: EvidenceRules;
  diff: boolean;
  /** Does the completion contract have to match the files that changed? */
  contractCheck: 'off' | 'warn' | 'enforce';
  /** Effect of a failed tool call that the agent left behind; `warn` where it is absent. */
  toolFailures?: 'off' | 'enforce';
  role?: string;
  /** The policy for a result that misses only evidence; a person is asked where it is absent. */
  remediation?: Exclude<RemediationPolicy, 'block'>;
  /** It works in a copy of the workspace, which is merged after verification. */
  isolation?: 'worktree';
  /** The config's text for the role; it precedes the task text. */
  persona?: string;
  allowPartial: boolean;
  /** Models judge what passed its checks: one, or several that vote. */
  verification?: 2 | 3;
  /** Votes of a verification by tier 3. */
  voting?: Voting;
  maxAttempts: number;
  critical: boolean;
  /** The phase of the process that it belongs to. */
  phase?: string;
  /** Sentences that a judge reports about and that fail nothing. */
  advice?: string[];
  synthesis: boolean;
  /** It runs nothing: the verify commands of the whole goal are its own. */
  goalCheck?: true;
  /** A model planned it: who looks at a result that nothing checked. */
  whenUnchecked?: WhenUnchecked;
  /** Overrides the task's. */
  ladder?: Rung[];
  recovery: RecoveryOverrides;
}

/** Ended, well or not: nothing more will happen to it by itself. */
export const hasEnded = (status: SubtaskStatus): boolean =>
  status === 'completed' || status === 'skipped' || status === 'failed' || status === 'blocked';

export interface ApprovalPolicy {
  mode: 'off' | 'auto' | 'manual' | 'threshold';
  at: number;
  onTimeout: 'wait' | 'proceed' | 'deny' | 'skip';
  timeout?: number;
}
