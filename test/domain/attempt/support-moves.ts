import { checkAnswer, checkSteering } from '../../../domain/messages/validate-message.ts';
import type { Planning } from '../../../domain/replan/replan.ts';
import { optionRule } from '../../../domain/decisions/options/decision-kinds.ts';
import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Decision, OptionId } from '../../../domain/types/decision.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { mayReplan } from '../../../domain/schedule/budget-limits.ts';
import { nextDue } from '../../../domain/schedule/schedule.ts';
import { recordOf, rowOf, subtaskOf } from '../../../domain/task/read-state.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { nothingUsed } from '../../../domain/llm/usage.ts';
import { failureOf, judgementOf, t0 } from '../support-task.ts';
import type { Driver } from './support-driver.ts';
import { planByChance } from './support-replan.ts';
import { must } from './support-witness.ts';

/* Moves of people, agents, judges and planners in the model of a task: `next` chooses. */

/** Below `below`. */
type Next = (below: number) => number;

const failures: Failure[] = [
  ...['a', 'b', 'c', 'd'].map((name) =>
    failureOf({ signature: `tool-failed-${name}`, summary: `it broke in ${name}` }),
  ),
  failureOf({ type: 'timeout', signature: 'timeout-a', summary: 'It did not finish.' }),
  failureOf({ type: 'environment', category: 'environment', signature: 'environment-a', summary: 'no space left' }),
  failureOf({ type: 'auth', category: 'never-retry', signature: 'auth-a', summary: '401 unauthorized' }),
  failureOf({ type: 'blocked', category: 'blocked', signature: 'blocked-a', summary: 'the requirements conflict' }),
  failureOf({ type: 'overloaded', category: 'transient', signature: 'overloaded-a', summary: 'it did not pass' }),
];

export function sendMessage(driver: Driver, next: Next): void {
  const { state } = driver;
  switch (next(8)) {
    case 6:
      return steerToReplan(driver);
    case 0:
      return driver.record({ type: 'task.steered', text: 'be brief' });
    case 1:
      if (state.control.paused === null) driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
      return;
    case 2:
      if (state.control.paused !== null) driver.record({ type: 'task.resumed' });
      return;
    case 3: {
      const [first] = Object.keys(state.decisions.answered);
      return expectRefused(state, {
        ...(first === undefined ? {} : { DECISION_ALREADY_ANSWERED: { decisionId: first, option: 'retry' } }),
        DECISION_NOT_FOUND: { decisionId: '__proto__', option: 'retry' },
      });
    }
    case 4:
      driver.now += 60_000;
      return;
    default:
      if (next(8) === 0) driver.stop('someone cancelled it');
  }
}

/** As the workflow takes it. */
function steerToReplan(driver: Driver): void {
  const { state } = driver;
  const sent = { text: 'go another way', replan: true };
  if (!mayReplan(state) || state.control.cancelling !== null || state.control.finishing)
    return expectRefused(state, { REPLAN_NOT_POSSIBLE: sent }, checkSteering);
  const { text } = checkSteering(state, sent);
  driver.record({ type: 'replan.asked', request: { reason: text, trigger: 'steering', subtasks: [] } });
}

/** Each of the messages, for the reason that is its key. */
function expectRefused(
  state: TaskState,
  messages: Partial<Record<ErrorCode, unknown>>,
  check: (state: TaskState, payload: unknown, now: number) => unknown = checkAnswer,
): void {
  // Events of long ago are most of it.
  const shown = (): string =>
    JSON.stringify({
      ...state,
      log: { ...state.log, events: state.log.events.slice(-2), eventCount: state.log.events.length },
    });
  const before = shown();
  for (const [code, payload] of Object.entries(messages)) {
    const refusal = refusalBy(() => check(state, payload, t0));
    must(refusal !== null, () => `not refused: ${JSON.stringify(payload)}`);
    must(refusal instanceof HeddleError && refusal.code === code, () => String(refusal));
  }
  must(shown() === before, () => 'a refusal changed the state');
}

function refusalBy(check: () => unknown): unknown {
  try {
    check();
    return null;
  } catch (error) {
    return error;
  }
}

export function goOn(driver: Driver, next: Next): void {
  const { state } = driver;
  if (state.planner.rewordings !== undefined && next(3) === 1)
    return driver.phrase(next(2) === 0 ? null : 'It cannot go on.');
  if (state.planner.extractions !== undefined && next(3) === 1)
    return driver.learn(next(2) === 0 ? [] : [`Lesson ${next(20)}`]);
  if (driver.planning !== null && next(4) === 1) return plan(driver, driver.planning, next);
  const running = state.queue.running[next(Math.max(1, state.queue.running.length))];
  const question = state.decisions.open[next(Math.max(1, state.decisions.open.length))];
  if (running !== undefined && (question === undefined || next(3) !== 0)) return finishAttempt(driver, running, next);
  if (question !== undefined) return answer(driver, question, next);
  if (state.control.paused !== null) return driver.record({ type: 'task.resumed' });
  if (driver.planning !== null) return plan(driver, driver.planning, next);
  if (state.planner.rewordings !== undefined) return driver.phrase(null);
  if (state.planner.extractions !== undefined) return driver.learn([]);
  driver.now = Math.max(driver.now, nextDue(state, driver.now) ?? state.planner.wait?.notBefore ?? driver.now);
}

function plan(driver: Driver, planning: Planning, next: Next): void {
  driver.plan(planByChance(driver.state, planning, next));
}

/** Causes that suspend an agent, besides those of every executor. */
function suspendAgent(driver: Driver, id: string, next: Next): void {
  const wait = { used: recordOf(driver.state, id)?.used ?? nothingUsed, waitMs: null, reason: 'it stands still' };
  switch (next(10)) {
    case 8:
      return driver.ask(id, { ...gate, hash: `h${next(3)}` });
    case 9:
      return driver.ask(id, { ...gate, danger: 'program', signature: `gate:program:npm ${next(2)}` });
    case 0:
      return driver.ask(id, { kind: 'question', call: '1.0', question: 'Which one?', options: ['this', 'that'] });
    case 1:
      return driver.ask(id, { kind: 'question', call: '2.0', question: 'What is it called?', options: [] });
    case 2:
      return driver.ask(id, unknownEffect);
    case 3:
      return driver.suspend(id, { ...wait, why: 'pause' });
    case 4:
      return driver.suspend(id, { ...wait, why: 'wait', waitMs: 30_000 });
    // A suspension that names no cause.
    case 5:
      return driver.suspend(id, { ...wait, why: 'approval' });
    case 6:
      return driver.runOut(id, 0);
    default:
      return driver.runOut(id);
  }
}

const unknownEffect = {
  kind: 'unknown-effect',
  call: '3.1',
  tool: 'write_file',
  action: 'It was to write a.md.',
  evidence: '',
} as const;

const gate = {
  kind: 'gate',
  call: '4.1',
  tool: 'shell',
  arguments: { command: 'rm -fr build' },
  why: 'It deletes a folder.',
  hash: 'h0',
  danger: 'delete',
  signature: null,
} as const;

/** The program of a command executor. */
const programGate = { ...gate, call: null, tool: 'command', arguments: ['chmod', '777', 'x'] } as const;

/** Outcomes of judges: they pass, fail, are contradicted, cannot be read, run out of budget, or are lost. */
function judgeAttempt(driver: Driver, id: string, next: Next): void {
  const luck = next(12);
  if (luck < 5) return driver.judge(id, {}, luck);
  const unread = { confidence: 0, reasonCode: 'verifier-unreadable', severity: 'inconclusive' } as const;
  const contradicted = { confidence: 0, reasonCode: 'verifier-contradicted', severity: 'inconclusive' } as const;
  switch (luck) {
    case 5:
      return driver.judge(id, { judgement: judgementOf({ outcome: driver.unreadOutcome(id), ...unread }) }, luck);
    case 6:
    case 7:
      return driver.judge(id, { judgement: judgementOf({ outcome: 'inconclusive', ...contradicted }) }, luck);
    case 8:
      return driver.judge(id, 'out-of-budget', next(2));
    case 9:
      return driver.judge(id, 'lost');
    default:
      return driver.judge(id, { judgement: judgementOf({ outcome: 'fail' }), failure: judgedFailure }, luck);
  }
}

const judgedFailure = failureOf({ type: 'evidence-gap', signature: 'evidence-gap-a', summary: 'no source is named' });

/** How results pass, by luck: mostly well. */
const passes = ['pass', 'pass', 'pass', 'pass', 'pass', 'unchecked', 'pass-with-warnings', 'unchecked'] as const;

function finishAttempt(driver: Driver, id: string, next: Next): void {
  const { state } = driver;
  if (driver.phaseOf(id) === 'judge') return judgeAttempt(driver, id, next);
  const isChecked = driver.phaseOf(id) === 'verify';
  if (rowOf(state, id).call.kind === 'agent' && !isChecked) {
    // It hears of a pause before its next model call, unless it has just made its last one.
    if (state.control.paused !== null && next(4) !== 0) return driver.suspend(id, { why: 'pause', waitMs: null });
    if (next(3) === 1) return suspendAgent(driver, id, next);
  }
  if (
    rowOf(state, id).call.kind === 'command' &&
    !isChecked &&
    subtaskOf(state, id).permit === undefined &&
    next(8) === 1
  )
    return driver.ask(id, { ...programGate, signature: next(2) === 0 ? null : 'gate:permissions:chmod' });
  if (rowOf(state, id).remediation !== undefined && next(2) === 1) return oweByChance(driver, id, next);
  const luck = next(20);
  if (luck < 8) return driver.pass(id, passes[luck] ?? 'pass', luck + 1);
  const failure = failures[luck < 14 ? luck - 8 : next(failures.length)];
  if (failure === undefined) return;
  const way = next(6);
  if (way < 2) driver.fail(id, failure, { tokens: luck });
  else if (way < 3) driver.fail(id, failure, { tokens: luck, spent: false });
  else if (way < 5) driver.failVerdict(id, failure, luck);
  else if (luck % 2 === 0) driver.loseVerification(id, failure);
  else driver.suspend(id);
}

/** Some of what was missing, all of it, or something else is missing. */
function oweByChance(driver: Driver, id: string, next: Next): void {
  const count = 1 + next(3);
  const targets = Array.from({ length: count }, () => `target ${next(4)}`);
  driver.owe(id, targets, next(3) === 0 ? 'unconfirmed-data' : 'evidence-gap', next(4));
}

function answer(driver: Driver, question: Decision, next: Next): void {
  const option = question.options[next(question.options.length)];
  if (option === undefined) throw new Error(`${question.id} has no options`);
  // Stopping everything ends a script early: rarely.
  const chosen = ['abort', 'stop'].includes(option.id) && next(6) !== 0 ? question.options[0] : option;
  const sent = {
    decisionId: question.id,
    option: chosen?.id ?? '',
    instruction: 'do it like this',
    ...(chosen === undefined ? {} : valueFor(question, chosen.id)),
    scope: next(4) === 1 ? 'signature' : 'once',
    by: 'ana',
  };
  const isGate = question.kind === 'approval' && question.action !== undefined;
  const isOnce = isGate && (question.signature === null || chosen?.id !== 'approve');
  if (isOnce && sent.scope === 'signature') expectRefused(driver.state, { DECISION_ONCE_ONLY: sent });
  driver.answer(isOnce ? { ...sent, scope: 'once' } : sent);
}

function valueFor(question: Decision, option: OptionId): { value?: unknown } {
  const { needsValue } = optionRule(question, option);
  if (needsValue === undefined) return {};
  return { value: needsValue.form === 'words' ? ['true'] : { command: 'true' } };
}
