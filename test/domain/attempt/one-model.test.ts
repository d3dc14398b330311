/* One model for all agents: a higher tier is the same model, and nobody is told of a stronger one; the limit of a goal keeps no agent waiting. */
import { expect, test } from 'vitest';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import { agentExecutor, failureOf, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

const agents = [subtask('a', { executor: agentExecutor }), subtask('b', { executor: agentExecutor })];

/** The sentence about the third equal failure of `a`: after it comes another tier. */
function climb(settings: Partial<TaskSettings>): string {
  const driver = new Driver(stateOf(agents, settings), t0);
  for (let failures = 0; failures < 2; failures += 1) {
    driver.beginAll();
    driver.fail('a', failureOf());
  }
  return driver.state.log.events.findLast(({ type }) => type === 'attempt.failed')?.text ?? '';
}

test('with one model, another tier is a fresh start', () => {
  expect(climb({ oneModel: true })).toMatch(/trying again with a fresh start\.$/);
});

test('with several models, another tier is a stronger model', () => {
  expect(climb({})).toMatch(/trying again with a stronger model\.$/);
});

test('an agent that runs under the spending limit of a goal leaves another one its share', () => {
  const goalLimit = { costUsd: 5, unpriced: [] };
  const driver = new Driver(stateOf(agents, { goalLimit, budget: {} }), t0);
  driver.beginAll();
  expect(driver.state.queue.running).toEqual(['a', 'b']);
  expect([driver.grantOf('a'), driver.grantOf('b')]).toEqual([{ costUsd: 5 }, { costUsd: 5 }]);
});
