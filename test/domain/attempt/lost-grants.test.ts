/* The grant of a lost execution is held until it has run again: two that hold the rest from each other are a question. */
import { expect, test } from 'vitest';
import { agentExecutor, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

test('asks for a budget that two lost judges hold from each other, and goes on with more of it', () => {
  const judged = { verification: 2 as const };
  const agent = { executor: agentExecutor };
  const subtasks = [subtask('d', agent), subtask('e', agent), subtask('a', judged), subtask('b', judged), subtask('c')];
  const driver = new Driver(stateOf(subtasks, { budget: { tokens: 20 }, maxParallelSubtasks: 5 }), t0);
  driver.beginAll();
  driver.pass('d', 'pass', 5);
  // Its judge is given what the other agent does not hold.
  driver.pass('a', 'pass', 1);
  driver.judge('a', 'lost');
  driver.pass('e', 'pass', 1);
  driver.pass('b', 'pass', 1);
  driver.judge('b', 'lost');
  // A program is given nothing beforehand.
  driver.pass('c', 'pass', 11);
  driver.now += 60 * 60_000;
  driver.beginAll();
  expect(driver.state.queue.running).toEqual([]);
  expect(driver.state.decisions.open).toMatchObject([{ id: 'budget-tokens-1', kind: 'budget' }]);
  driver.answer({ decisionId: 'budget-tokens-1', option: 'raise', value: 100 });
  driver.beginAll();
  expect(driver.state.queue.running.length).toBeGreaterThan(0);
});
