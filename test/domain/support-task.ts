import { apply } from '../../domain/task/apply.ts';
import type { DependencyResult, Execution, Verdict } from '../../domain/model/attempt.ts';
import type { Decision } from '../../domain/model/decision.ts';
import type { Failure } from '../../domain/model/failure.ts';
import type { AttemptRecord } from '../../domain/model/record.ts';
import { planDefaults } from '../../domain/plan/complete-plan.ts';
import { newState, type TaskState } from '../../domain/task/state.ts';
import type { Task } from '../../domain/model/task.ts';
import type { Rung, Subtask } from '../../domain/model/subtask.ts';

export const t0 = Date.parse('2026-03-01T10:00:00.000Z');

export const defaultLadder = planDefaults.ladder;

export const rung = (given: Partial<Rung> = {}): Rung => ({
  tier: 'assigned',
  feedback: false,
  thinking: false,
  person: false,
  retry: planDefaults.retry,
  ...given,
});

export const person = rung({ tier: 'highest', person: true });

export const subtask = (id: string, given: Partial<Subtask> = {}): Subtask => ({
  id,
  description: `do ${id}`,
  dependsOn: [],
  tier: 1,
  executor: { kind: 'command', run: ['true'], prompt: 'stdin', timeout: 60_000, env: [], onCrash: 'rerun' },
  deliverables: [],
  verify: [],
  criteria: [],
  requiredSections: [],
  rules: [],
  diff: false,
  contractCheck: 'warn',
  allowPartial: false,
  maxAttempts: planDefaults.maxAttempts,
  critical: false,
  synthesis: false,
  recovery: {},
  ...given,
});

export const task = (subtasks: Subtask[], given: Partial<Task> = {}): Task => ({
  id: 'demo',
  goal: 'a goal',
  project: 'p',
  workspace: '/w',
  host: 'h',
  hostQueue: 'heddle-host-h',
  approval: planDefaults.approval,
  planApproval: false,
  maxParallelSubtasks: planDefaults.maxParallelSubtasks,
  escalationPause: planDefaults.escalationPause,
  budget: {},
  ladder: defaultLadder,
  subtasks,
  searchAttributes: [],
  ...given,
});

/** A task whose plan is there and of which nothing has run. */
export function stateOf(subtasks: Subtask[], given: Partial<Task> = {}): TaskState {
  const state = newState('demo', given.goal ?? 'a goal', t0);
  apply(state, { type: 'task.started', goal: state.goal }, t0);
  apply(state, { type: 'plan.ready', task: task(subtasks, given) }, t0);
  return state;
}

export const failureOf = (given: Partial<Failure> = {}): Failure => ({
  type: 'tool-failed',
  category: 'quality',
  signature: 'tool-failed-a',
  summary: 'it broke',
  details: '',
  rootCause: '',
  suggestedFix: '',
  ...given,
});

export const recordFor = (id: string, given: Partial<AttemptRecord> = {}): AttemptRecord => ({
  subtask: id,
  attempt: 1,
  rung: 1,
  tier: 1,
  thinking: false,
  strategy: 'first',
  startedAt: new Date(t0).toISOString(),
  endedAt: null,
  outcome: 'running',
  type: null,
  category: null,
  signature: null,
  summary: '',
  details: '',
  rootCause: '',
  suggestedFix: '',
  filesAffected: [],
  verify: [],
  verdict: null,
  reruns: 0,
  waits: [],
  tokens: 0,
  costUsd: 0,
  outputRef: null,
  ...given,
});

export const failedRecord = (id: string, failure: Failure, given: Partial<AttemptRecord> = {}): AttemptRecord =>
  recordFor(id, {
    endedAt: new Date(t0 + 2_000).toISOString(),
    outcome: 'failed',
    type: failure.type,
    category: failure.category,
    signature: failure.signature,
    summary: failure.summary,
    details: failure.details,
    suggestedFix: failure.suggestedFix,
    ...given,
  });

export const resultOf = (id: string, given: Partial<DependencyResult> = {}): DependencyResult => ({
  id,
  status: 'success',
  notes: '',
  deliverables: [],
  preview: '',
  ...given,
});

export const executionOf = (given: Partial<Execution> = {}): Execution => ({
  end: 'exited',
  exitCode: 1,
  signal: null,
  stdoutTail: '',
  stderrTail: '',
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: false,
  durationMs: 10,
  reruns: 0,
  before: [],
  ...given,
});

export const verdictOf = (given: Partial<Verdict> = {}): Verdict => ({
  outcome: 'fail',
  issues: [],
  commands: [],
  files: [],
  ...given,
});

export const decisionOf = (given: Partial<Decision> = {}): Decision => ({
  id: 'a-1',
  kind: 'escalation',
  subtask: 'a',
  problem: 'a does not succeed.',
  tried: [],
  recommendation: 'retry',
  options: [
    { id: 'retry', label: 'Try again', consequence: 'Runs a again.', reversible: true },
    { id: 'abort', label: 'Stop', consequence: 'Stops.', reversible: false },
  ],
  openedAt: new Date(t0).toISOString(),
  deadline: null,
  onTimeout: 'wait',
  signature: null,
  ...given,
});
