import { describe, expect, test } from 'vitest';
import { apply } from '../../../domain/task/apply.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { notBeforeOf } from '../../../domain/task/subtask-phase.ts';
import { Driver } from '../attempt/support-driver.ts';
import { approvalOf, failureOf, planQuestionOf, recordFor, stateOf, subtask, t0 } from '../support-task.ts';

/* Changes of the state by single events, where no other test looks at it. */

const drive = (tokens?: number): Driver =>
  new Driver(stateOf([subtask('a'), subtask('b')], tokens === undefined ? {} : { budget: { tokens } }), t0);

const blocked = failureOf({ type: 'blocked', category: 'blocked' });
const sick = failureOf({ type: 'environment', category: 'environment' });

function waitAndGoOn(driver: Driver, id: string): void {
  driver.now = notBeforeOf(subtaskOf(driver.state, id)) ?? driver.now;
  driver.begin(id);
}

describe('apply', () => {
  test('numbers the events one by one and gives each its time', () => {
    const {
      log: { events },
    } = drive().state;
    expect(events.map(({ id, type, time }) => [id, type, time])).toEqual([
      [1, 'task.started', new Date(t0).toISOString()],
      [2, 'plan.ready', new Date(t0).toISOString()],
    ]);
  });

  test('keeps one record for each attempt, also when the environment interrupted it', () => {
    const driver = drive();
    driver.begin('a');
    driver.fail('a', sick);
    waitAndGoOn(driver, 'a');
    driver.fail('a', failureOf());
    driver.begin('a');
    driver.pass('a');
    expect(driver.state.log.records.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'failed'],
      [2, 'passed'],
    ]);
  });

  test('gives each attempt its own waits for the environment', () => {
    const driver = drive();
    driver.begin('a');
    driver.fail('a', sick);
    waitAndGoOn(driver, 'a');
    expect(subtaskOf(driver.state, 'a').environmentWaits).toBe(1);
    driver.fail('a', failureOf());
    expect(subtaskOf(driver.state, 'a').environmentWaits).toBe(0);
  });

  test('counts escalations, not other questions', () => {
    const driver = drive();
    driver.begin('a');
    driver.fail('a', blocked);
    driver.record({ type: 'decision.opened', decision: planQuestionOf() });
    driver.record({ type: 'decision.opened', decision: approvalOf({ id: 'b-1', subtask: 'b' }) });
    expect(driver.state.decisions.escalations).toBe(1);
  });

  test('keeps the last three refused signals', () => {
    const driver = drive();
    for (const reason of ['1', '2', '3', '4']) driver.record({ type: 'message.refused', message: 'decide', reason });
    expect(driver.state.log.refused).toEqual(['2', '3', '4']);
  });

  test('adds up what attempts used, and warns again after a limit was raised', () => {
    const driver = drive(100);
    driver.begin('a');
    driver.fail('a', failureOf(), { tokens: 85 });
    expect(driver.state.budget.warned).toEqual(['tokens']);
    driver.begin('a');
    driver.fail('a', failureOf(), { tokens: 15 });
    expect(driver.state.budget.used).toEqual({ tokens: 100 });
    driver.answer({ decisionId: 'budget-tokens-1', option: 'raise', value: 110 });
    expect(driver.state.budget.limits).toEqual({ tokens: 110 });
    expect(driver.state.budget.warned).toEqual([]);
    driver.begin('a');
    driver.pass('a', 'pass', 1);
    expect(driver.state.budget.warned).toEqual(['tokens']);
  });

  test('refuses an answer to a question that is not open, and a subtask that is not in the plan', () => {
    const { state } = drive();
    const event = { type: 'decision.answered', source: 'person', updateId: null } as const;
    expect(() => apply(state, { ...event, answer: { decisionId: 'a-1', option: 'retry' } }, t0)).toThrow('is not open');
    for (const id of ['z', '__proto__', 'constructor']) {
      expect(() => apply(state, { type: 'attempt.started', subtask: id, record: recordFor(id) }, t0)).toThrow(
        `no subtask ${id}`,
      );
    }
  });

  test('keeps who answered what, when and by which update', () => {
    const driver = drive();
    driver.begin('a');
    driver.fail('a', blocked);
    const answer = { decisionId: 'a-1', option: 'retry', by: 'ana' } as const;
    driver.record({ type: 'decision.answered', answer, source: 'person', updateId: 'u-1' });
    const at = new Date(t0).toISOString();
    expect(driver.state.decisions.answered['a-1']).toEqual({ option: 'retry', by: 'ana', updateId: 'u-1', at });
    expect(subtaskOf(driver.state, 'a').phase.name).toBe('answered');
  });

  test('counts what all executions of an attempt used, each once', () => {
    const driver = drive();
    driver.begin('a');
    driver.fail('a', sick, { tokens: 10, spent: false });
    waitAndGoOn(driver, 'a');
    driver.fail('a', sick, { tokens: 5 });
    waitAndGoOn(driver, 'a');
    driver.pass('a', 'pass', 1);
    expect(driver.state.budget.used.tokens).toBe(16);
    expect(driver.state.log.records[0]).toMatchObject({ used: { tokens: 16 }, waits: [{}, {}] });
  });

  test('goes on with the verification alone when the verifier could not do its work', () => {
    const driver = drive();
    driver.begin('a');
    driver.failVerdict('a', sick, 7);
    waitAndGoOn(driver, 'a');
    expect(driver.begin('b').resumeFrom.phase).toBe('execute');
    driver.pass('a');
    expect(driver.state.log.records[0]).toMatchObject({ attempt: 1, outcome: 'passed', used: { tokens: 7 } });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('takes a subtask called %s', (id) => {
    const driver = new Driver(stateOf([subtask(id), subtask('b', { dependsOn: [id] })]), t0);
    driver.begin(id);
    driver.fail(id, failureOf());
    driver.begin(id);
    driver.pass(id);
    expect(driver.state.queue.ready).toEqual(['b']);
    expect(driver.state.log.records).toHaveLength(2);
  });
});
