import type { Grant, PersonReply } from '../types/agent.ts';
import type { Verdict } from '../types/attempt.ts';
import type { Result, ResumePoint } from '../types/events.ts';
import type { SuspendReason } from '../types/outcome.ts';
import type { Remedy } from '../types/remedy.ts';
import type { SubtaskStatus } from '../types/subtask.ts';

/** An attempt between two executions: the next start goes on with it instead of counting a new one. */
export interface Suspension {
  why: SuspendReason;
  resumeFrom: ResumePoint;
  /** A share was too small for it: it needs all that is left of the budget. */
  needsFullGrant?: true;
  /** The grant of an execution that was lost without telling its use: it may have spent it. */
  grant?: Grant;
  /** A person's reply to the attempt: given again with every execution of it, since nobody knows which one took it. */
  reply?: PersonReply;
}

/** A result that passed its verification. */
export interface Passed {
  verdict: Verdict['outcome'];
  result: Result;
}

/** The facts that a question keeps from the phase before it, for the phase after its answer. */
export type Kept = { suspension: Suspension } | { passed: Passed } | null;

/** Marks a running attempt that an older plan started. It holds its slot until it has stopped. */
export interface Stale {
  /** Version of the plan that started it. */
  version: number;
  /** The files that it writes, whatever the new plan says. */
  deliverables: string[];
  /** Why the subtask ends with it. */
  superseded?: string;
  /** How it ends, where not the new plan but something that it now waits for is the reason. */
  ends?: { type: 'subtask.skipped' } | { type: 'subtask.blocked'; independent: number };
}

/** The phase of a subtask's life, and the facts that only this phase has. */
export type Phase =
  /** Dependencies have not ended well yet. */
  | { name: 'waiting' }
  | { name: 'ready' }
  /** `notBefore`: the end of a backoff, in milliseconds. */
  | { name: 'delayed'; notBefore: number }
  /** `grant`: held until the execution tells what it spent, or the attempt has ended. */
  | { name: 'running'; grant?: Grant; reply?: PersonReply; stale?: Stale }
  /** `notBefore`: null where a grant or the end of a pause resumes it. */
  | { name: 'suspended'; notBefore: number | null; suspension: Suspension }
  /** Its attempt passed; the next event completes it or asks for approval. */
  | { name: 'passed'; passed: Passed }
  /** Its attempt ended without a result; the next event asks a person or ends the subtask. */
  | { name: 'unresolved' }
  /** The tries of its remediation item are spent, save the last one. */
  | { name: 'parked' }
  | { name: 'asked'; decision: string; kept: Kept }
  /** Its question is answered; the effect follows, or a new plan. */
  | { name: 'answered'; kept: Kept }
  | { name: 'completed'; passed: Passed; endedAt: number }
  | { name: 'failed' | 'skipped' | 'blocked'; reason: string; endedAt: number };

export type PhaseName = Phase['name'];

/** The status that the contract shows for each phase. */
const statuses = {
  waiting: 'pending',
  ready: 'pending',
  delayed: 'pending',
  running: 'running',
  suspended: 'pending',
  passed: 'running',
  unresolved: 'pending',
  parked: 'pending',
  asked: 'waiting',
  answered: 'waiting',
  completed: 'completed',
  failed: 'failed',
  skipped: 'skipped',
  blocked: 'blocked',
} as const satisfies Record<PhaseName, SubtaskStatus>;

type InPhase = Readonly<{ phase: Phase }>;

/** The status by its phase, as the rules see it. */
export const statusOf = ({ phase }: InPhase): Exclude<SubtaskStatus, 'remediating'> => statuses[phase.name];

/** The status as people see it: evidence is owed, whether or not a try runs just now. */
export function shownStatusOf(subtask: InPhase & { readonly remedy?: Remedy }): SubtaskStatus {
  const status = statusOf(subtask);
  const isOpen = subtask.remedy !== undefined && subtask.remedy.ended === undefined;
  return isOpen && (status === 'pending' || status === 'running') ? 'remediating' : status;
}

/** The open attempt that is not being executed. */
export function suspensionOf({ phase }: InPhase): Suspension | undefined {
  if (phase.name === 'suspended') return phase.suspension;
  const kept = phase.name === 'asked' || phase.name === 'answered' ? phase.kept : null;
  return kept !== null && 'suspension' in kept ? kept.suspension : undefined;
}

/** The result that passed, also while a person has yet to accept it. */
export function passedOf({ phase }: InPhase): Passed | undefined {
  if (phase.name === 'passed' || phase.name === 'completed') return phase.passed;
  const kept = phase.name === 'asked' || phase.name === 'answered' ? phase.kept : null;
  return kept !== null && 'passed' in kept ? kept.passed : undefined;
}

export const staleOf = ({ phase }: InPhase): Stale | undefined => (phase.name === 'running' ? phase.stale : undefined);

/** The part of the budget that its attempt holds. */
export const grantOf = (subtask: InPhase): Grant | undefined =>
  subtask.phase.name === 'running' ? subtask.phase.grant : suspensionOf(subtask)?.grant;

/** The end of its wait, where a clock decides when it may start. */
export const notBeforeOf = ({ phase }: InPhase): number | null =>
  phase.name === 'delayed' || phase.name === 'suspended' ? phase.notBefore : null;

export const reasonOf = ({ phase }: InPhase): string | null => ('reason' in phase ? phase.reason : null);

export const endedAtOf = ({ phase }: InPhase): number | null => ('endedAt' in phase ? phase.endedAt : null);
