import type { DependencyResult, Verdict } from '../../domain/types/attempt.ts';
import type {
  Approval,
  BudgetQuestion,
  Decision,
  Escalation,
  PlanQuestion,
  Question,
} from '../../domain/types/decision.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import type { Judgement } from '../../domain/types/judgement.ts';
import type { Finished } from '../../domain/types/outcome.ts';
import type { Plan } from '../../domain/types/plan.ts';
import type { AttemptRecord } from '../../domain/types/attempt-record.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import type { Rung, Subtask } from '../../domain/types/subtask.ts';
import { buildOptions } from '../../domain/decisions/options/decision-kinds.ts';
import { planDefaults } from '../../domain/plan/complete-plan.ts';
import { buildPlanRow } from '../../domain/plan/plan-rows.ts';
import { apply } from '../../domain/task/apply.ts';
import { newState, type TaskState } from '../../domain/task/state.ts';

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

export const agentExecutor: Subtask['executor'] = {
  kind: 'agent',
  tools: ['read_file', 'write_file', 'ask_user', 'finish'],
  iterations: 20,
  timeout: 60_000,
};

export const refOf = (n: number): Ref => ({ sha256: n.toString(16).padStart(64, '0'), bytes: n });

export const planOf = (subtasks: Subtask[]): Plan => ({
  version: 1,
  rows: subtasks.map(buildPlanRow),
  pages: [{ ...refOf(1), from: 0, count: subtasks.length }],
  definitions: subtasks,
});

export const settings = (given: Partial<TaskSettings> = {}): TaskSettings => ({
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
  searchAttributes: [],
  ...given,
});

/** A task whose plan is there and of which nothing has run. */
export function stateOf(subtasks: Subtask[], given: Partial<TaskSettings> = {}): TaskState {
  const state = newState('demo', given.goal ?? 'a goal', t0);
  apply(state, { type: 'task.started', goal: state.goal }, t0);
  apply(state, { type: 'plan.ready', settings: settings(given), plan: planOf(subtasks) }, t0);
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
  failure: null,
  notes: '',
  files: [],
  verify: [],
  verdict: null,
  reruns: 0,
  waits: [],
  used: { costUsd: 0, tokens: 0 },
  output: null,
  ...given,
});

export const failedRecord = (id: string, failure: Failure, given: Partial<AttemptRecord> = {}): AttemptRecord =>
  recordFor(id, { endedAt: new Date(t0 + 2_000).toISOString(), outcome: 'failed', failure, ...given });

export const resultOf = (id: string, given: Partial<DependencyResult> = {}): DependencyResult => ({
  id,
  status: 'success',
  notes: '',
  deliverables: [],
  preview: '',
  ...given,
});

export const finishedOf = (given: Partial<Finished> = {}): Finished => ({
  kind: 'finished',
  used: { costUsd: 0, tokens: 0 },
  reruns: 0,
  preview: '',
  stdoutBytes: 0,
  ...given,
});

export const verdictOf = (given: Partial<Verdict> = {}): Verdict => ({
  outcome: 'pass',
  issues: [],
  commands: [],
  files: [],
  checks: { passed: 1, total: 1 },
  failure: null,
  result: refOf(2),
  ...given,
});

export const judgementOf = (given: Partial<Judgement> = {}): Judgement => ({
  outcome: 'pass',
  confidence: 0.9,
  reasonCode: null,
  severity: null,
  votes: [{ lens: 'overall', model: 'm', passed: true, confidence: 0.9 }],
  contradictions: 0,
  ...given,
});

const asked = {
  id: 'a-1',
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
} satisfies Partial<Decision>;

export const escalationOf = (given: Partial<Escalation> = {}): Escalation => ({
  ...asked,
  kind: 'escalation',
  subtask: 'a',
  signature: 'tool-failed-a',
  files: [],
  ...given,
});

export const approvalOf = (given: Partial<Approval> = {}): Approval => ({
  ...asked,
  kind: 'approval',
  subtask: 'a',
  signature: null,
  score: 1,
  recommendation: 'approve',
  options: [{ id: 'approve', label: 'Accept', consequence: 'a is completed.', reversible: false }],
  ...given,
});

export const planQuestionOf = (given: Partial<PlanQuestion> = {}): PlanQuestion => ({
  ...asked,
  id: 'plan-1',
  kind: 'plan',
  subtask: null,
  signature: null,
  ...given,
});

export const budgetQuestionOf = (given: Partial<BudgetQuestion> = {}): BudgetQuestion => ({
  ...asked,
  id: 'budget-tokens-1',
  kind: 'budget',
  subtask: null,
  signature: null,
  budget: 'tokens',
  used: 100,
  limit: 100,
  ...given,
});

const asks: Question['asks'] = { kind: 'question', call: '1.0', question: 'Which one?', options: ['this', 'that'] };

export const questionOf = (given: Partial<Question> = {}): Question => ({
  ...asked,
  kind: 'question',
  subtask: 'a',
  signature: null,
  asks,
  recommendation: 'answer',
  options: buildOptions('question', { subtask: 'a', asks }),
  ...given,
});
