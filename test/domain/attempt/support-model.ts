import fc from 'fast-check';
import { packState, takeSurplus, unpackState, type Surplus } from '../../../domain/carried/carried-state.ts';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { showAttempt } from '../../../domain/task/records.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import type { AskedCheck } from '../../../domain/types/basic/gate.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { Rung, Subtask } from '../../../domain/types/subtask.ts';
import { refOf, agentExecutor, defaultLadder, person, rung, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';
import { goOn, sendMessage } from './support-moves.ts';
import { must, Witness } from './support-witness.ts';

/*
 * A model of whole tasks: random plans, random outcomes, random answers and messages at random moments, recorded through `apply` by
 * a driver that does what the workflow does. After each event the state is checked as a whole.
 */

const ladders: Rung[][] = [
  defaultLadder,
  defaultLadder.filter((step) => !step.person),
  [rung(), person],
  [rung(), rung({ feedback: true }), rung({ tier: 'next', thinking: true }), person],
];

/** Verify commands that a model wrote: one that may be allowed for good, one that is asked each time. */
const askedChecks: AskedCheck[] = [
  { command: 'make test', why: 'A rule asks.', hash: 'c0', danger: 'rule', signature: 'gate:rule:make' },
  { command: 'node -e 1', why: 'It runs code.', hash: 'c1', danger: 'code', signature: null },
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
  asked: fc.constantFrom(0, 0, 0, 0, 1, 2),
  whenUnchecked: fc.constantFrom(undefined, undefined, 'judge' as const, 'ask' as const),
  critical: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  remediation: fc.constantFrom(
    undefined,
    undefined,
    'confirm-or-prune-then-queue' as const,
    'queue-follow-up' as const,
  ),
});

export const anyTask = fc.record({
  subtasks: fc.array(anySubtask, { minLength: 1, maxLength: 12 }),
  parallel: fc.integer({ min: 1, max: 5 }),
  escalationPause: fc.constantFrom(1, 2, 5),
  approval: fc.constantFrom<TaskSettings['approval']['mode'][]>('off', 'off', 'off', 'manual', 'auto'),
  onTimeout: fc.constantFrom<TaskSettings['approval']['onTimeout'][]>(
    'wait',
    'wait',
    'wait',
    'proceed',
    'deny',
    'skip',
  ),
  tokens: fc.constantFrom(undefined, undefined, undefined, 50),
  calls: fc.constantFrom(undefined, undefined, 2, 7, 30),
  remediations: fc.constantFrom(undefined, undefined, 0, 1, 3),
  remediationTtl: fc.constantFrom(undefined, 12_000),
  remediationTries: fc.constantFrom(undefined, 1),
  planner: fc.boolean(),
  learns: fc.boolean(),
  onExhausted: fc.constantFrom(undefined, undefined, undefined, 'stop' as const),
  script: fc.array(fc.nat(999), { maxLength: 250, size: 'max' }),
});
export type AnyTask = typeof anyTask extends fc.Arbitrary<infer T> ? T : never;

/** Dependencies point backwards, a synthesis is terminal: what the topology check lets through. */
function planOf(given: AnyTask): Subtask[] {
  return given.subtasks.map(({ after, synthesis, writes, tier, maxAttempts, ladder, agent, judged, ...rest }, index) =>
    subtask(`s${index}`, {
      dependsOn: [...new Set(after.filter((n) => n < index && given.subtasks[n]?.synthesis === false))].map(
        (n) => `s${n}`,
      ),
      synthesis,
      deliverables: writes === undefined ? [] : [writes],
      tier,
      maxAttempts,
      ...(agent ? { executor: agentExecutor } : {}),
      ...(rest.asked === 0 ? {} : { askedChecks: askedChecks.slice(0, rest.asked) }),
      ...(rest.whenUnchecked === undefined ? {} : { whenUnchecked: rest.whenUnchecked }),
      critical: rest.critical,
      ...(rest.remediation === undefined ? {} : { remediation: rest.remediation }),
      ...(judged === undefined ? {} : { verification: judged }),
      ...(ladders[ladder] === undefined ? {} : { ladder: ladders[ladder] }),
    }),
  );
}

/** Turns of a run of the workflow: then its state travels to the next one. Of other tasks at other turns. */
const runLengthOf = ({ script }: AnyTask): number => 8 + (script.length % 16);

/** So few waits that their end is reached. */
const environmentWait = { first: 5_000, factor: 3, most: 60_000, times: 1 };

/**
 * Plays one task to its end. The script decides; when it is used up, everything goes well. The course of one that is carried is compared
 * as a whole with that of the same task in one run, where all is looked at; here it is the first turn of each run, and each event of a few.
 */
export function play(given: AnyTask, carrier?: Carrier): TaskState {
  const driver = new Driver(
    stateOf(planOf(given), {
      maxParallelSubtasks: given.parallel,
      escalationPause: given.escalationPause,
      approval: { mode: given.approval, at: 1, onTimeout: given.onTimeout, timeout: 20_000 },
      budget: {
        ...(given.tokens === undefined ? {} : { tokens: given.tokens }),
        ...(given.calls === undefined ? {} : { modelCalls: given.calls }),
        ...(given.remediations === undefined ? {} : { remediations: given.remediations }),
      },
      limits: {
        ...(given.remediationTtl === undefined ? {} : { remediationTtl: given.remediationTtl }),
        ...(given.remediationTries === undefined ? {} : { remediationTries: given.remediationTries, environmentWait }),
      },
      ...(given.planner ? { planner: { tries: 3 } } : {}),
      ...(given.learns ? { lessons: { list: refOf(9), recall: 3, expire: 1_000, extracts: true as const } } : {}),
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
    if (driver.state.control.cancelling !== null && (driver.state.queue.running.length === 0 || next(3) === 0)) {
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
function checkUse({ log: { records }, budget: { used } }: TaskState, { tokens }: Witness): void {
  const counted = records.reduce((sum, record) => sum + record.used.tokens, tokens);
  must(counted === (used.tokens ?? 0), () => `${counted} tokens by attempts and planners, ${used.tokens ?? 0} counted`);
}

/** As a new run of the workflow takes it up: what only readers of the past need is put aside. */
export class Carrier {
  readonly past: Surplus = { events: [], attempts: [] };

  carry(state: TaskState): TaskState {
    const { events, attempts } = takeSurplus(state);
    this.past.events.push(...events);
    this.past.attempts.push(...attempts);
    const carried = unpackState(JSON.parse(JSON.stringify(packState(state))));
    if (carried === undefined) throw new Error('the state cannot be read back');
    return carried;
  }

  /** The view of a reader of archive and state, and the rest of the state. */
  whole(state: TaskState): unknown[] {
    const { events, attempts } = this.past;
    const all = [...attempts, ...state.log.records.map(showAttempt)].sort((a, b) =>
      a.subtask === b.subtask ? a.attempt - b.attempt : a.subtask < b.subtask ? -1 : 1,
    );
    const rest = { ...state, log: { ...state.log, events: [], records: [], lastRecord: {} } };
    return [[...events, ...state.log.events], all, rest];
  }
}
