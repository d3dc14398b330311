import { describe, expect, test } from 'vitest';
import { apply } from '../../../domain/task/apply.ts';
import { takeAnswer } from '../../../domain/decisions/apply-answer.ts';
import type { Decision, OptionId } from '../../../domain/types/decision.ts';
import type { TaskEvent } from '../../../domain/types/events.ts';
import { ending, stalled } from '../../../domain/schedule/task-ending.ts';
import { startable } from '../../../domain/schedule/schedule.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf, notBeforeOf } from '../../../domain/task/subtask-phase.ts';
import { newState } from '../../../domain/task/state.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { Driver } from '../attempt/support-driver.ts';
import {
  approvalOf,
  budgetQuestionOf,
  escalationOf,
  failureOf,
  planQuestionOf,
  recordFor,
  refOf,
  rung,
  stateOf,
  subtask,
  t0,
} from '../support-task.ts';

/* Effects of a failure, an answer or a pause on the rest of a plan, and how a task ends. */

const drive = (subtasks: Subtask[], given: Partial<TaskSettings> = {}): Driver =>
  new Driver(stateOf(subtasks, given), t0);

const ready = (driver: Driver): string[] => startable(driver.state, driver.now);
const status = (driver: Driver, id: string): string => statusOf(subtaskOf(driver.state, id));

/** Starts what may start and says what that was. */
function startAll(driver: Driver): string[] {
  const ids = ready(driver);
  for (const id of ids) driver.begin(id);
  return ids;
}

const blocked = failureOf({ type: 'blocked', category: 'blocked', signature: 'blocked-x', summary: 'it cannot go on' });
const noPerson = { ladder: [rung()] };

const diamond = (): Subtask[] => [
  subtask('a'),
  subtask('b', { dependsOn: ['a'] }),
  subtask('c', { dependsOn: ['a'] }),
  subtask('d', { dependsOn: ['b', 'c'] }),
];

describe('pause and resume', () => {
  test('lets waits stand still, also those that begin in the pause', () => {
    const driver = drive([subtask('a'), subtask('b')]);
    startAll(driver);
    driver.fail('a', failureOf({ type: 'timeout' }));
    driver.now += 500;
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    driver.now += 3_600_000;
    driver.fail('b', failureOf({ type: 'timeout' }));
    driver.now += 3_600_000;
    driver.record({ type: 'task.resumed' });
    expect(notBeforeOf(subtaskOf(driver.state, 'a'))).toBe(driver.now + 1_000);
    expect(notBeforeOf(subtaskOf(driver.state, 'b'))).toBe(driver.now + 1_500);
  });

  test('moves the deadlines of questions by the time that they were open in the pause', () => {
    const driver = drive([subtask('a'), subtask('b')]);
    const minutes = (n: number): string => new Date(t0 + n * 60_000).toISOString();
    driver.record({
      type: 'decision.opened',
      decision: escalationOf({ id: 'a-1', subtask: 'a', openedAt: minutes(0), deadline: minutes(10) }),
    });
    driver.now = t0 + 4 * 60_000;
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    driver.record({
      type: 'decision.opened',
      decision: escalationOf({ id: 'b-1', subtask: 'b', openedAt: minutes(34), deadline: minutes(44) }),
    });
    driver.now = t0 + 64 * 60_000;
    driver.record({ type: 'task.resumed' });
    expect(driver.state.decisions.open.map(({ deadline }) => deadline)).toEqual([minutes(70), minutes(74)]);
  });

  test('keeps the first pause when a second comes, and ignores a resume without a pause', () => {
    const driver = drive([subtask('a')]);
    driver.record({ type: 'task.paused', reason: 'first', by: 'person' });
    driver.now += 1_000;
    driver.record({ type: 'task.paused', reason: 'second', by: 'person' });
    expect(driver.state.control.paused).toEqual({ since: t0, reason: 'first', by: 'person' });
    driver.record({ type: 'task.resumed' });
    driver.record({ type: 'task.resumed' });
    expect(driver.state.control.paused).toBeNull();
  });

  test('counts escalations anew after the pause that they caused', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('c')], { escalationPause: 2 });
    startAll(driver);
    driver.fail('a', blocked);
    expect(driver.state.control.paused).toBeNull();
    driver.fail('b', blocked);
    expect(driver.state.control.paused).toMatchObject({
      by: 'escalations',
      reason: expect.stringMatching(/^\d escalations; answer the open questions, then resume$/) as string,
    });
    expect(ready(driver)).toEqual([]);
    driver.record({ type: 'task.resumed' });
    driver.fail('c', blocked);
    expect(driver.state.control.paused).toBeNull();
  });

  test('does not count failures that a standing answer settled: nobody was asked', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('c'), subtask('d')], { escalationPause: 3 });
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'skip', scope: 'signature' });
    for (const id of ['b', 'c', 'd']) driver.fail(id, blocked);
    expect(['b', 'c', 'd'].map((id) => status(driver, id))).toEqual(['skipped', 'skipped', 'skipped']);
    expect(driver.state.decisions.escalations).toBe(1);
    expect(driver.state.control.paused).toBeNull();
  });

  test('leaves the event that opened a question as it was when a pause moves the deadline', () => {
    const driver = drive([subtask('a')], {
      approval: { mode: 'manual', at: 1, onTimeout: 'proceed', timeout: 60_000 },
    });
    startAll(driver);
    driver.pass('a');
    const opened = JSON.stringify(driver.state.log.events);
    driver.record({ type: 'task.paused', reason: 'lunch', by: 'person' });
    driver.now += 30_000;
    driver.record({ type: 'task.resumed' });
    expect(driver.state.decisions.open[0]?.deadline).toBe(new Date(t0 + 90_000).toISOString());
    expect(JSON.stringify(driver.state.log.events.slice(0, -2))).toBe(opened);
  });
});

describe('behind a subtask that failed', () => {
  test('everything is blocked, the rest finishes, and the task fails', () => {
    const driver = drive([...diamond(), subtask('else')], noPerson);
    startAll(driver);
    driver.fail('a', failureOf());
    expect(['b', 'c', 'd'].map((id) => status(driver, id))).toEqual(['blocked', 'blocked', 'blocked']);
    expect(ending(driver.state)).toBeNull();
    expect(stalled(driver.state, driver.now)).toEqual([]);
    driver.pass('else');
    expect(ending(driver.state)).toEqual({ state: 'failed', reason: 'a failed; b, c and d could not run' });
  });

  test('the synthesis is blocked too', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('sum', { synthesis: true })], noPerson);
    startAll(driver);
    driver.fail('a', failureOf());
    expect(status(driver, 'sum')).toBe('blocked');
  });

  test('another synthesis that runs beside a failed one goes on', () => {
    const driver = drive([subtask('s1', { synthesis: true }), subtask('s2', { synthesis: true })], noPerson);
    expect(startAll(driver)).toEqual(['s1', 's2']);
    driver.fail('s1', failureOf());
    expect(status(driver, 's2')).toBe('running');
    driver.pass('s2');
    expect(ending(driver.state)).toEqual({ state: 'failed', reason: 's1 failed' });
  });
});

describe('a critical subtask', () => {
  const critical = (id: string, given: Partial<Subtask> = {}): Subtask => subtask(id, { critical: true, ...given });

  test('stops the whole task when it fails for good', () => {
    const driver = drive([critical('a'), subtask('b', { dependsOn: ['a'] }), subtask('else')], noPerson);
    startAll(driver);
    driver.fail('a', failureOf());
    expect(driver.state.control).toMatchObject({ stopCode: 'CRITICAL_FAILED' });
    expect(driver.state.control.cancelling).toMatch(/^a is critical and failed: /);
    expect(status(driver, 'b')).toBe('blocked');
    expect(ready(driver)).toEqual([]);
  });

  test('asks a person first where the ladder has one, without the option of another plan', () => {
    const driver = drive([critical('a'), subtask('else')], { planner: { tries: 3 } });
    startAll(driver);
    driver.fail('a', blocked);
    driver.fail('else', blocked);
    expect(driver.state.control.cancelling).toBeNull();
    const optionsOf = (id: string): OptionId[] =>
      driver.state.decisions.open.flatMap(({ subtask: about, options }) =>
        about === id ? options.map((option) => option.id) : [],
      );
    expect(optionsOf('a')).not.toContain('replan');
    expect(optionsOf('else')).toContain('replan');
  });

  test('stops nothing when a person skips it', () => {
    const driver = drive([critical('a'), subtask('else')]);
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'skip' });
    driver.pass('else');
    expect(ending(driver.state)).toMatchObject({ state: 'completed' });
  });

  test('stops the task when nobody accepts its result before the deadline', () => {
    const driver = drive([critical('a'), subtask('else')], {
      approval: { mode: 'manual', at: 1, onTimeout: 'deny', timeout: 1_000 },
    });
    startAll(driver);
    driver.pass('a');
    driver.now += 2_000;
    driver.beginAll();
    expect(driver.state.control.stopCode).toBe('CRITICAL_FAILED');
  });
});

describe('an answer', () => {
  test('"skip" frees the dependents', () => {
    const driver = drive(diamond());
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'skip' });
    expect(status(driver, 'a')).toBe('skipped');
    expect(ready(driver)).toEqual(['b', 'c']);
  });

  test('"skip-branch" skips everything behind, and nothing else', () => {
    const driver = drive([...diamond(), subtask('else')]);
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'skip-branch', by: 'ana' });
    expect(['a', 'b', 'c', 'd', 'else'].map((id) => status(driver, id))).toEqual([
      ...['skipped', 'skipped', 'skipped', 'skipped'],
      'running',
    ]);
    driver.pass('else');
    expect(ending(driver.state)).toEqual({ state: 'completed', reason: '1 subtask done, a, b, c and d skipped' });
  });

  test('"retry" starts the next attempt at once, on the same rung', () => {
    const driver = drive([subtask('a')]);
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'retry' });
    expect(startAll(driver)).toEqual(['a']);
    expect(driver.state.log.records.map(({ attempt, rung: used }) => [attempt, used])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test('"finish" closes the questions of what it skips: nobody can start that again', () => {
    const driver = drive([subtask('a'), subtask('b')], { budget: { tokens: 10 } });
    startAll(driver);
    driver.fail('a', blocked);
    driver.fail('b', failureOf(), { tokens: 10 });
    driver.answer({ decisionId: 'budget-tokens-1', option: 'finish' });
    expect(driver.state.decisions.open).toEqual([]);
    expect(() => driver.answer({ decisionId: 'a-1', option: 'retry' })).toThrow('there is no decision a-1');
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('a result that was not accepted in the end is no result for the dependents', () => {
    const driver = drive([subtask('a'), subtask('b', { dependsOn: ['a'] })], {
      approval: { mode: 'manual', at: 1, onTimeout: 'wait' },
    });
    startAll(driver);
    driver.pass('a');
    driver.answer({ decisionId: 'a-1', option: 'reject', instruction: 'wrong tone' });
    startAll(driver);
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-2', option: 'skip' });
    expect(subtaskOf(driver.state, 'a')).toMatchObject({ phase: { name: 'skipped' } });
  });

  test('holds for its own subtask alone when nobody said in words what went wrong', () => {
    const silent = { ...blocked, unspecific: true as const };
    const driver = drive([subtask('a'), subtask('b')]);
    startAll(driver);
    driver.fail('a', silent);
    driver.fail('b', silent);
    driver.answer({ decisionId: 'a-1', option: 'skip', scope: 'signature' });
    expect(driver.state.decisions.open.map(({ id }) => id)).toEqual(['b-1']);
    const [standing = ''] = Object.keys(driver.state.decisions.standing);
    expect(standing).toMatch(/^blocked-x[0-9a-f]{16}$/);
    expect(driver.state.decisions.open[0]?.signature).not.toBe(standing);
  });

  test('holds for every subtask that fails the same way, once each, when it is given for the signature', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('c')]);
    startAll(driver);
    driver.fail('a', blocked);
    driver.fail('b', blocked);
    driver.answer({ decisionId: 'a-1', option: 'retry', scope: 'signature', by: 'ana' });
    expect(driver.state.decisions.open).toEqual([]);
    driver.fail('c', blocked);
    expect(driver.state.decisions.open).toEqual([]);
    startAll(driver);
    driver.fail('c', blocked);
    expect(driver.state.decisions.open.map(({ id }) => id)).toEqual(['c-2']);
  });
});

describe('ending', () => {
  test('is null while something is open or the task is being stopped', () => {
    const driver = drive([subtask('a')]);
    expect(ending(driver.state)).toBeNull();
    startAll(driver);
    driver.stop('enough');
    driver.pass('a');
    expect(ending(driver.state)).toBeNull();
    expect(ending(newState('x', 'g', t0))).toBeNull();
  });

  test('never calls a task completed in which something was blocked', () => {
    const driver = drive([subtask('a')]);
    apply(driver.state, { type: 'subtask.blocked', subtask: 'a', reason: 'r', independent: 0, waits: false }, t0);
    expect(ending(driver.state)).toEqual({ state: 'failed', reason: 'a could not run' });
  });

  test('refuses to end a subtask twice', () => {
    const driver = drive([subtask('a')]);
    startAll(driver);
    driver.pass('a');
    expect(() => driver.record({ type: 'subtask.failed', subtask: 'a', reason: 'late' })).toThrow('a is completed');
  });
});

describe('stalled', () => {
  test('says for each subtask what it waits for', () => {
    const driver = drive([subtask('a'), subtask('b', { dependsOn: ['a'] }), subtask('sum', { synthesis: true })]);
    driver.state.queue.ready = [];
    expect(stalled(driver.state, driver.now)).toEqual([
      'a waits for nothing that is known',
      'b waits for a',
      'sum waits for the other subtasks',
    ]);
  });

  test('is no stall while something runs, waits for a person or is paused', () => {
    const driver = drive([subtask('a')]);
    expect(stalled(driver.state, driver.now)).toEqual([]);
    startAll(driver);
    expect(stalled(driver.state, driver.now)).toEqual([]);
    driver.fail('a', blocked);
    expect(stalled(driver.state, driver.now)).toEqual([]);
  });
});

describe('what an answer does to the others', () => {
  const chain = (): Subtask[] => [subtask('a'), subtask('b', { dependsOn: ['a'] }), subtask('c', { dependsOn: ['b'] })];

  /** The events that an option brings about when nothing has run but what the test says. */
  function effectOf(decision: Decision, option: OptionId, prepare: (driver: Driver) => void = () => undefined) {
    const driver = drive(chain(), { budget: { tokens: 10 } });
    prepare(driver);
    if (decision.kind === 'approval') passFirst(driver);
    driver.record({ type: 'decision.opened', decision });
    const events: TaskEvent[] = [];
    driver.watch = (event) => events.push(event);
    takeAnswer(driver, decision, { decisionId: decision.id, option }, { updateId: null, source: 'person' });
    expect(events.shift()).toMatchObject({ type: 'decision.answered' });
    return events;
  }
  /** The result that an approval is about. */
  function passFirst(driver: Driver): void {
    driver.begin('a');
    const record = recordFor('a', { outcome: 'passed', verdict: 'pass' });
    const result = { status: 'success', ref: refOf(2) } as const;
    driver.record({ type: 'attempt.passed', subtask: 'a', attempt: 1, record, result });
  }
  const skipped = (...ids: string[]) => ids.map((id) => ({ type: 'subtask.skipped', subtask: id }));

  const table: [Decision, OptionId, object[]][] = [
    [escalationOf(), 'retry', [{ type: 'subtask.retried', subtask: 'a', guidance: '' }]],
    [
      escalationOf(),
      'simpler',
      [{ type: 'subtask.retried', guidance: expect.stringMatching(/^Do a simpler version/) as string }],
    ],
    [escalationOf(), 'provide-credentials', [{ type: 'subtask.retried', guidance: '' }]],
    [escalationOf(), 'skip', skipped('a')],
    [escalationOf(), 'skip-branch', skipped('a', 'b', 'c')],
    [escalationOf(), 'abort', [{ type: 'task.cancelling', reason: 'a person stopped it' }]],
    [approvalOf(), 'approve', [{ type: 'subtask.completed', subtask: 'a', verdict: 'pass' }]],
    [approvalOf(), 'edit', [{ type: 'attempt.rejected' }, { type: 'subtask.retried' }]],
    [
      approvalOf(),
      'reject',
      [{ type: 'attempt.rejected' }, { type: 'subtask.retried', guidance: 'The last result was not accepted.' }],
    ],
    [planQuestionOf(), 'approve', []],
    [planQuestionOf(), 'reject', [{ type: 'task.cancelling', reason: 'a person did not approve the plan' }]],
    [budgetQuestionOf(), 'raise', [{ type: 'budget.raised', key: 'tokens', limit: 20 }]],
    [budgetQuestionOf(), 'finish', [{ type: 'task.finishing' }, ...skipped('a', 'b', 'c')]],
    [budgetQuestionOf(), 'stop', [{ type: 'task.cancelling', reason: 'a person stopped it' }]],
  ];
  test.each(table.map(([decision, option, events]) => [decision.kind, option, decision, events] as const))(
    '%s: %s',
    (_kind, option, decision, events) => {
      expect(effectOf(decision, option)).toMatchObject(events);
    },
  );

  test('lets what runs finish when the rest is skipped', () => {
    const events = effectOf(budgetQuestionOf(), 'finish', (driver) => driver.begin('a'));
    expect(events).toMatchObject([{ type: 'task.finishing' }, ...skipped('b', 'c')]);
  });
});
