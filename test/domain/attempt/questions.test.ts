/* Questions of an attempt in the middle of its work, and how it resumes. */
import { describe, expect, test } from 'vitest';
import { applyDeadlines } from '../../../domain/decisions/apply-deadlines.ts';
import { buildQuestionReply } from '../../../domain/decisions/ask-question.ts';
import type { Ask, PersonReply } from '../../../domain/types/agent.ts';
import type { DecisionAnswer, OnTimeout, Question } from '../../../domain/types/decision.ts';
import { packState, unpackState } from '../../../domain/carried/carried-state.ts';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { startable, taskStatus } from '../../../domain/schedule/schedule.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf, suspensionOf } from '../../../domain/task/subtask-phase.ts';
import { agentExecutor, failureOf, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

const asks: Ask = { kind: 'question', call: '2.0', question: 'Which\n  colour?', options: ['red', 'blue'] };
const unknown: Ask = {
  kind: 'unknown-effect',
  call: '3.1',
  tool: 'write_file',
  action: 'Write notes.md.',
  evidence: 'notes.md was changed by somebody else.',
};

/** An agent that asks at once. */
function asking(ask: Ask, onTimeout: OnTimeout = 'wait'): { driver: Driver; decision: Question } {
  const approval = { mode: 'off' as const, at: 1, onTimeout, timeout: 60_000 };
  const driver = new Driver(stateOf([subtask('a', { executor: agentExecutor })], { approval }), t0);
  driver.begin('a');
  driver.ask('a', ask);
  const [decision] = driver.state.decisions.open;
  if (decision?.kind !== 'question') throw new Error('it asks nothing');
  return { driver, decision };
}

describe('a question', () => {
  test('offers the answers of the model, words, and none', () => {
    const { decision } = asking(asks);
    expect(decision).toMatchObject({ id: 'a-1', problem: 'a asks: Which colour?', recommendation: 'answer' });
    expect(decision.options.map(({ id, label }) => [id, label])).toEqual([
      ['option-1', 'red'],
      ['option-2', 'blue'],
      ['answer', 'Answer in my own words'],
      ['decline', 'Do not answer'],
    ]);
  });

  test('about an effect says what is known, and recommends what does nothing twice', () => {
    const { decision } = asking(unknown);
    expect(decision.problem).toBe(
      'a was interrupted while it used write_file: Write notes.md. Nobody knows whether that happened. What can be seen: notes.md was changed by somebody else.',
    );
    expect(decision.options.map(({ id }) => id)).toEqual(['happened', 'did-not-happen', 'abort']);
    expect(decision.recommendation).toBe('happened');
  });

  test('is bounded, whatever the model wrote', () => {
    const long = { ...asks, question: 'x'.repeat(90_000), options: Array.from({ length: 9 }, () => 'y'.repeat(9_000)) };
    const { decision } = asking(long);
    expect(decision.options).toHaveLength(7);
    expect(JSON.stringify(decision).length).toBeLessThan(15_000);
  });

  test.each<[string, Ask, Omit<DecisionAnswer, 'decisionId'>, PersonReply]>([
    ['an offered answer', asks, { option: 'option-2' }, { kind: 'answered', call: '2.0', text: 'blue' }],
    [
      'one with more words',
      asks,
      { option: 'option-1', instruction: 'dark' },
      { kind: 'answered', call: '2.0', text: 'red\ndark' },
    ],
    ['own words', asks, { option: 'answer', value: 'green' }, { kind: 'answered', call: '2.0', text: 'green' }],
    [
      'a value that is no text',
      asks,
      { option: 'answer', value: { r: 1 } },
      { kind: 'answered', call: '2.0', text: '{"r":1}' },
    ],
    [
      'no answer',
      asks,
      { option: 'decline', instruction: 'not mine' },
      { kind: 'declined', call: '2.0', text: 'not mine' },
    ],
    ['it happened', unknown, { option: 'happened' }, { kind: 'settled', call: '3.1', outcome: 'happened' }],
    ['it did not', unknown, { option: 'did-not-happen' }, { kind: 'settled', call: '3.1', outcome: 'did-not-happen' }],
  ])('is answered: %s', (_, ask, answer, resume) => {
    const { decision } = asking(ask);
    expect(buildQuestionReply(decision, { decisionId: decision.id, ...answer })).toEqual(resume);
  });

  test.each<[OnTimeout, string | null, string]>([
    ['wait', null, 'waiting'],
    ['proceed', null, 'waiting'],
    ['deny', 'decline', 'pending'],
    ['skip', 'skip', 'skipped'],
  ])('is never answered by a deadline: %s', (onTimeout, option, status) => {
    const { driver } = asking(asks, onTimeout);
    driver.now += 60_000;
    applyDeadlines(driver);
    expect(statusOf(subtaskOf(driver.state, 'a'))).toBe(status);
    expect(driver.state.decisions.answered['a-1']?.option ?? null).toBe(option);
    const suspension = suspensionOf(subtaskOf(driver.state, 'a'));
    expect(suspension?.reply?.kind).toBe(option === 'decline' ? 'declined' : undefined);
  });

  test('about an effect waits for ever, whatever the policy', () => {
    expect(asking(unknown, 'deny').decision).toMatchObject({ deadline: null, onTimeout: 'wait' });
  });

  test('holds no slot, climbs nothing, counts no attempt and no escalation', () => {
    const { driver } = asking(asks);
    const before = recordOf(driver.state, 'a');
    expect([driver.state.queue.running, taskStatus(driver.state, driver.now)]).toEqual([[], 'waiting']);
    driver.now += 3_600_000;
    driver.answer({ decisionId: 'a-1', option: 'option-1' });
    expect(startable(driver.state, driver.now)).toEqual(['a']);
    const begun = driver.begin('a');
    expect(begun).toMatchObject({
      attempt: 1,
      startedAt: before?.startedAt,
      reply: { text: 'red' },
      step: { rung: 1 },
    });
    expect(subtaskOf(driver.state, 'a').climb).toMatchObject({ attempts: 1, counts: {}, tierFailures: 0 });
    expect([driver.state.decisions.escalations, subtaskOf(driver.state, 'a').decisionCount]).toEqual([0, 0]);
  });
});

describe('an answer', () => {
  test('is given again to the next execution when the one that had it was lost, also in a new run', () => {
    const { driver } = asking(asks);
    driver.answer({ decisionId: 'a-1', option: 'option-1' });
    driver.begin('a');
    driver.fail('a', failureOf({ type: 'environment', category: 'environment' }), { silent: true });
    const carried = unpackState(JSON.parse(JSON.stringify(packState(driver.state))));
    if (carried === undefined) throw new Error('the state cannot be read back');
    driver.state = carried;
    driver.now += 60_000;
    expect(driver.begin('a')).toMatchObject({ attempt: 1, reply: { kind: 'answered', text: 'red' } });
  });

  test('is not told to another attempt', () => {
    const { driver } = asking(asks);
    driver.answer({ decisionId: 'a-1', option: 'option-1' });
    driver.begin('a');
    driver.fail('a', failureOf());
    expect(driver.begin('a')).toMatchObject({ attempt: 2, reply: null });
    driver.fail('a', failureOf({ type: 'environment', category: 'environment' }), { silent: true });
    driver.now += 60_000;
    expect(driver.begin('a')).toMatchObject({ attempt: 2, reply: null });
  });
});

describe('an attempt that stands still', () => {
  test('is skipped when the task finishes with what is done', () => {
    const { driver } = asking(asks);
    driver.answer({ decisionId: 'a-1', option: 'option-1' });
    driver.begin('a');
    driver.record({ type: 'task.finishing' });
    driver.ask('a', asks);
    expect(driver.state.decisions.open).toEqual([]);
    expect(statusOf(subtaskOf(driver.state, 'a'))).toBe('skipped');
    expect(recordOf(driver.state, 'a')).toMatchObject({ attempt: 1, outcome: 'cancelled' });
  });

  test('asks nothing when the task is being stopped', () => {
    const { driver } = asking(asks);
    driver.answer({ decisionId: 'a-1', option: 'option-1' });
    driver.begin('a');
    driver.stop('ana stopped it');
    driver.ask('a', asks);
    expect(driver.state.decisions.open).toEqual([]);
    driver.endCancelled();
    expect(recordOf(driver.state, 'a')).toMatchObject({ outcome: 'cancelled' });
  });
});

test('a result that is rejected while the task finishes fails, and starts nothing more', () => {
  const approval = { mode: 'manual' as const, at: 1, onTimeout: 'wait' as const };
  const driver = new Driver(
    stateOf([subtask('a', { executor: agentExecutor })], { approval, budget: { tokens: 5 } }),
    t0,
  );
  driver.begin('a');
  driver.record({ type: 'task.finishing' });
  driver.pass('a', 'pass', 10);
  driver.answer({ decisionId: 'a-1', option: 'reject', instruction: 'not like this' });
  expect(statusOf(subtaskOf(driver.state, 'a'))).toBe('failed');
  expect(ending(driver.state)?.state).toBe('failed');
});
