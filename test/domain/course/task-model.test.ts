import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAnswer, checkSteering } from '../../../domain/course/check-message.ts';
import type { Planning } from '../../../domain/course/replan.ts';
import { optionRule } from '../../../domain/decisions/kinds.ts';
import type { Decision, OptionId } from '../../../domain/model/decision.ts';
import { packState, takeSurplus, unpackState, type Surplus } from '../../../domain/task/carry.ts';
import { showAttempt } from '../../../domain/task/records.ts';
import { ending } from '../../../domain/task/ending.ts';
import type { Failure } from '../../../domain/model/failure.ts';
import type { ErrorCode } from '../../../domain/error-codes.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import { mayReplan } from '../../../domain/task/replans.ts';
import { nextDue, taskStatus } from '../../../domain/task/schedule.ts';
import { hasEnded, recordOf, rowOf, rowsOf, subtaskOf, type TaskState } from '../../../domain/task/state.ts';
import type { Setting } from '../../../domain/model/setting.ts';
import type { Rung, Subtask } from '../../../domain/model/subtask.ts';
import { Driver } from './support-driver.ts';
import { nothingUsed } from '../../../domain/task/used.ts';
import {
  agentExecutor,
  defaultLadder,
  failureOf,
  judgementOf,
  person,
  rung,
  stateOf,
  subtask,
  t0,
} from '../support-task.ts';
import { planByChance } from './support-replan.ts';
import { isSame, must, Witness } from './support-witness.ts';

/*
 * A model of whole tasks: random plans, random outcomes, random answers and messages at random moments, recorded through `apply` by
 * a driver that does what the workflow does. After each event the state is checked as a whole.
 */

const fuzzRuns = process.env['HEDDLE_FUZZ_RUNS'];
const runs = Number(fuzzRuns ?? 10_000);
/** Each of well under a minute. */
const parts = fuzzRuns === undefined ? [1, 2, 3, 4] : [1];
/** On a busy machine the usual number of runs is cut short; a number that was asked for is not. */
const longest = 50_000;

const ladders: Rung[][] = [
  defaultLadder,
  defaultLadder.filter((step) => !step.person),
  [rung(), person],
  [rung(), rung({ feedback: true }), rung({ tier: 'next', thinking: true }), person],
];

const anySubtask = fc.record({
  after: fc.array(fc.nat(11), { maxLength: 3 }),
  synthesis: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  writes: fc.option(fc.constantFrom('x.md', 'y.md'), { freq: 2, nil: undefined }),
  tier: fc.constantFrom<Subtask['tier'][]>(1, 1, 2, 3),
  maxAttempts: fc.constantFrom(1, 3, 8, 8),
  ladder: fc.nat(ladders.length * 3),
  agent: fc.boolean(),
  judged: fc.constantFrom(undefined, undefined, 2 as const, 3 as const),
});

const anyTask = fc.record({
  subtasks: fc.array(anySubtask, { minLength: 1, maxLength: 12 }),
  parallel: fc.integer({ min: 1, max: 5 }),
  escalationPause: fc.constantFrom(1, 2, 5),
  approval: fc.constantFrom<Setting['approval']['mode'][]>('off', 'off', 'off', 'manual', 'auto'),
  onTimeout: fc.constantFrom<Setting['approval']['onTimeout'][]>('wait', 'wait', 'wait', 'proceed', 'deny', 'skip'),
  tokens: fc.constantFrom(undefined, undefined, undefined, 50),
  calls: fc.constantFrom(undefined, undefined, 2, 7, 30),
  planner: fc.boolean(),
  onExhausted: fc.constantFrom(undefined, undefined, undefined, 'stop' as const),
  script: fc.array(fc.nat(999), { maxLength: 250, size: 'max' }),
});
type AnyTask = typeof anyTask extends fc.Arbitrary<infer T> ? T : never;

/** Dependencies point backwards, a synthesis is terminal: what the topology check lets through. */
function planOf(given: AnyTask): Subtask[] {
  return given.subtasks.map(({ after, synthesis, writes, tier, maxAttempts, ladder, agent, judged }, index) =>
    subtask(`s${index}`, {
      dependsOn: [...new Set(after.filter((n) => n < index && given.subtasks[n]?.synthesis === false))].map(
        (n) => `s${n}`,
      ),
      synthesis,
      deliverables: writes === undefined ? [] : [writes],
      tier,
      maxAttempts,
      ...(agent ? { executor: agentExecutor } : {}),
      ...(judged === undefined ? {} : { verification: judged }),
      ...(ladders[ladder] === undefined ? {} : { ladder: ladders[ladder] }),
    }),
  );
}

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

/** Turns of a run of the workflow: then its state travels to the next one. Of other tasks at other turns. */
const runLengthOf = ({ script }: AnyTask): number => 8 + (script.length % 16);

/**
 * Plays one task to its end. The script decides; when it is used up, everything goes well. The course of one that is carried is compared
 * as a whole with that of the same task in one run, where all is looked at; here it is the first turn of each run, and each event of a few.
 */
function play(given: AnyTask, carrier?: Carrier): TaskState {
  const driver = new Driver(
    stateOf(planOf(given), {
      maxParallelSubtasks: given.parallel,
      escalationPause: given.escalationPause,
      approval: { mode: given.approval, at: 1, onTimeout: given.onTimeout, timeout: 20_000 },
      budget: {
        ...(given.tokens === undefined ? {} : { tokens: given.tokens }),
        ...(given.calls === undefined ? {} : { modelCalls: given.calls }),
      },
      ...(given.planner ? { planner: { tries: 3 } } : {}),
      ...(given.onExhausted === undefined ? {} : { onExhausted: given.onExhausted }),
    }),
    t0,
  );
  const witness = new Witness(driver);
  const runLength = runLengthOf(given);
  if (carrier === undefined || given.script.length % 5 === 0) driver.watch = (event) => witness.see(event);
  let position = 0;
  const next = (below: number): number => {
    const value = given.script[position] ?? 0;
    position += 1;
    return value % below;
  };
  for (let turn = 0; ending(driver.state) === null; turn += 1) {
    must(turn < 2_000, () => 'it does not end');
    const isNewRun = turn % runLength === runLength - 1;
    if (isNewRun && carrier !== undefined) driver.state = carrier.carry(driver.state);
    driver.now += 1_000;
    if (driver.state.cancelling !== null && (driver.state.running.length === 0 || next(3) === 0)) {
      driver.endCancelled();
      return driver.state;
    }
    driver.beginAll();
    if (position < given.script.length && next(10) === 0) sendMessage(driver, next);
    else goOn(driver, next);
    if (isNewRun || carrier === undefined) witness.seeState();
    if (isNewRun) witness.seeView();
  }
  const how = ending(driver.state);
  if (how !== null) driver.record({ type: 'task.ended', ...how });
  if (carrier === undefined) checkUse(driver.state, witness);
  return driver.state;
}

/** Whatever an attempt came to, also one that a new plan made worthless: what it used counts, once. */
function checkUse({ records, used }: TaskState, { tokens }: Witness): void {
  const counted = records.reduce((sum, record) => sum + record.used.tokens, tokens);
  must(counted === (used.tokens ?? 0), () => `${counted} tokens by attempts and planners, ${used.tokens ?? 0} counted`);
}

function sendMessage(driver: Driver, next: (below: number) => number): void {
  const { state } = driver;
  switch (next(8)) {
    case 6:
      return steerToReplan(driver);
    case 0:
      return driver.record({ type: 'task.steered', text: 'be brief' });
    case 1:
      if (state.paused === null) driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
      return;
    case 2:
      if (state.paused !== null) driver.record({ type: 'task.resumed' });
      return;
    case 3: {
      const [first] = Object.keys(state.answered);
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
  if (!mayReplan(state) || state.cancelling !== null || state.finishing)
    return expectRefused(state, { REPLAN_NOT_POSSIBLE: sent }, checkSteering);
  const { text } = checkSteering(state, sent);
  driver.record({ type: 'replan.asked', wanted: { reason: text, trigger: 'steering', subtasks: [] } });
}

/** Each of the messages, for the reason that is its key. */
function expectRefused(
  state: TaskState,
  messages: Partial<Record<ErrorCode, unknown>>,
  check: (state: TaskState, payload: unknown, now: number) => unknown = checkAnswer,
): void {
  // What was told long ago is most of it.
  const shown = (): string => JSON.stringify({ ...state, told: state.events.length, events: state.events.slice(-2) });
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

function goOn(driver: Driver, next: (below: number) => number): void {
  const { state } = driver;
  if (state.phrases !== undefined && next(3) === 1) return driver.phrase(next(2) === 0 ? null : 'It cannot go on.');
  if (driver.planning !== null && next(4) === 1) return plan(driver, driver.planning, next);
  const running = state.running[next(Math.max(1, state.running.length))];
  const question = state.decisions[next(Math.max(1, state.decisions.length))];
  if (running !== undefined && (question === undefined || next(3) !== 0)) return finishAttempt(driver, running, next);
  if (question !== undefined) return answer(driver, question, next);
  if (state.paused !== null) return driver.record({ type: 'task.resumed' });
  if (driver.planning !== null) return plan(driver, driver.planning, next);
  if (state.phrases !== undefined) return driver.phrase(null);
  driver.now = Math.max(driver.now, nextDue(state, driver.now) ?? driver.now);
}

function plan(driver: Driver, planning: Planning, next: (below: number) => number): void {
  driver.plan(planByChance(driver.state, planning, next));
}

/** What an agent stands still for, besides what every executor may. */
function suspendAgent(driver: Driver, id: string, next: (below: number) => number): void {
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
    // One that does not say what it waits for.
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

/** What judges come to: they pass, fail, are contradicted, cannot be read, run out of budget, or are lost. */
function judgeAttempt(driver: Driver, id: string, next: (below: number) => number): void {
  const luck = next(12);
  if (luck < 5) return driver.judge(id, {}, luck);
  const unread = { confidence: 0, reasonCode: 'verifier-unreadable', severity: 'inconclusive' } as const;
  const contradicted = { confidence: 0, reasonCode: 'verifier-contradicted', severity: 'inconclusive' } as const;
  switch (luck) {
    case 5:
      return driver.judge(id, { judgement: judgementOf({ outcome: 'pass-with-warnings', ...unread }) }, luck);
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

function finishAttempt(driver: Driver, id: string, next: (below: number) => number): void {
  const { state } = driver;
  if (driver.phaseOf(id) === 'judge') return judgeAttempt(driver, id, next);
  const isChecked = driver.phaseOf(id) === 'verify';
  if (rowOf(state, id).call.kind === 'agent' && !isChecked) {
    // It hears of a pause before its next model call, unless it has just made its last one.
    if (state.paused !== null && next(4) !== 0) return driver.suspend(id, { why: 'pause', waitMs: null });
    if (next(3) === 1) return suspendAgent(driver, id, next);
  }
  if (
    rowOf(state, id).call.kind === 'command' &&
    !isChecked &&
    subtaskOf(state, id).permit === undefined &&
    next(8) === 1
  )
    return driver.ask(id, { ...programGate, signature: next(2) === 0 ? null : 'gate:permissions:chmod' });
  const luck = next(20);
  if (luck < 8) return driver.pass(id, luck < 6 ? 'pass' : 'pass-with-warnings', luck + 1);
  const failure = failures[luck < 14 ? luck - 8 : next(failures.length)];
  if (failure === undefined) return;
  const way = next(6);
  if (way < 2) driver.fail(id, failure, { tokens: luck });
  else if (way < 3) driver.fail(id, failure, { tokens: luck, spent: false });
  else if (way < 5) driver.failVerdict(id, failure, luck);
  else if (luck % 2 === 0) driver.loseVerification(id, failure);
  else driver.suspend(id);
}

function answer(driver: Driver, question: Decision, next: (below: number) => number): void {
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

/** As a new run of the workflow takes it up: what only readers of the past need is put aside. */
class Carrier {
  readonly past: Surplus = { events: [], attempts: [] };

  carry(state: TaskState): TaskState {
    const { events, attempts } = takeSurplus(state);
    this.past.events.push(...events);
    this.past.attempts.push(...attempts);
    const carried = unpackState(JSON.parse(JSON.stringify(packState(state))));
    if (carried === undefined) throw new Error('the state cannot be read back');
    return carried;
  }

  /** What a reader of archive and state sees, and the rest of the state. */
  whole(state: TaskState): unknown[] {
    const { events, attempts } = this.past;
    const all = [...attempts, ...state.records.map(showAttempt)].sort((a, b) =>
      a.subtask === b.subtask ? a.attempt - b.attempt : a.subtask < b.subtask ? -1 : 1,
    );
    const rest = { ...state, events: [], records: [], lastRecord: {} };
    return [[...events, ...state.events], all, rest];
  }
}

function checkEnd(state: TaskState): void {
  const statuses = rowsOf(state).map(({ id }) => subtaskOf(state, id).status);
  must(statuses.every(hasEnded), () => `ended with ${statuses.join(', ')}`);
  const well = statuses.every((status) => status === 'completed' || status === 'skipped');
  const stopped = state.cancelling === null ? undefined : state.stopCode === undefined ? 'cancelled' : 'failed';
  must(state.ended?.state === (stopped ?? (well ? 'completed' : 'failed')), () => 'wrong end');
  must(taskStatus(state, t0) === state.ended?.state, () => 'the status is not the end');
  must(state.running.length + state.ready.length + state.delayed.length === 0, () => 'something is left in the queues');
  must(state.decisions.length === 0, () => 'a question is left open');
  must(
    state.events.every(({ id }, index) => id === index + 1),
    () => 'the events are not numbered one by one',
  );
  must(
    state.records.every(({ outcome }) => outcome !== 'running'),
    () => 'an attempt still runs',
  );
}

/** How gates of calls and of programs were answered, and by whom. */
function gateAnswers({ events }: TaskState): string[] {
  const asked = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type === 'decision.opened' && event.decision.kind === 'approval' && event.decision.action !== undefined)
      asked.set(event.decision.id, event.decision.call === null ? 'program' : 'call');
    if (event.type !== 'decision.answered') return [];
    return [`source ${event.source}`, `${asked.get(event.decisionId) ?? 'other'} ${event.option}`];
  });
}

describe('any task', () => {
  it.each(parts)(
    `reaches a true end by the rules, the same way when its state travels to a new run (${runs / parts.length} tasks, part %i)`,
    () => {
      fc.assert(
        fc.property(anyTask, (given) => {
          const ended = play(given);
          checkEnd(ended);
          const carrier = new Carrier();
          const carried = carrier.whole(play(given, carrier));
          must(isSame(carried, new Carrier().whole(ended)), () => 'another course after continue-as-new');
        }),
        // A course of 250 steps takes minutes to shrink: the seed is told at once, and `path` with it shrinks by hand.
        {
          numRuns: Math.ceil(runs / parts.length),
          endOnFailure: true,
          plugins: fuzzRuns === undefined ? [fc.interruptAfterTimeLimit(longest)] : [],
        },
      );
    },
    fuzzRuns === undefined ? 2 * longest : 3_600_000,
  );

  it('is of every kind: the model reaches each end, each answer and each failure', () => {
    const seen = new Set<string>();
    for (const given of fc.sample(anyTask, { numRuns: 400, seed: 7 })) {
      const state = play(given);
      seen.add(`end ${state.ended?.state ?? ''}`);
      for (const { option } of Object.values(state.answered)) seen.add(option);
      for (const { failure } of state.records) if (failure !== null) seen.add(failure.type);
      seen.add(state.ended?.code ?? '');
      for (const what of gateAnswers(state)) seen.add(what);
      for (const event of state.events)
        seen.add(event.type).add(event.type === 'attempt.resumed' ? `why ${event.why}` : event.type);
      for (const event of state.events) {
        if (event.type === 'attempt.suspended') seen.add(`suspended ${event.phase} ${event.why}`);
        if (event.type === 'verdict') seen.add(`verdict ${event.outcome}`);
        if (event.type === 'plan.replaced')
          for (const how of ['added', 'retargeted', 'superseded'] as const)
            if (event[how].length > 0) seen.add(`plan ${how}`);
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...['end completed', 'end failed', 'end cancelled'],
        ...['retry', 'fix', 'simpler', 'provide-credentials', 'skip', 'skip-branch', 'abort'],
        ...['approve', 'edit', 'reject', 'raise', 'finish', 'stop'],
        ...['answer', 'decline', 'option-1', 'option-2', 'happened', 'did-not-happen'],
        ...[
          'why approval',
          'source standing',
          'source policy',
          'program edit',
          'program approve',
          'call edit',
          'call reject',
        ],
        ...['replan', 'plan added', 'plan retargeted', 'plan superseded', 'outcome.stale', 'replan.failed'],
        ...['BUDGET_EXHAUSTED', 'why question', 'why unknown-effect', 'why budget', 'why wait', 'why pause'],
        ...['tool-failed', 'timeout', 'environment', 'auth', 'blocked', 'overloaded', 'evidence-gap'],
        ...['suspended judge budget', 'suspended judge environment', 'verdict inconclusive', 'verdict fail'],
        ...[
          'subtask.blocked',
          'attempt.suspended',
          'attempt.resumed',
          'task.paused',
          'task.resumed',
          'budget.exhausted',
          'task.cancelling',
        ],
      ]),
    );
  });
});
