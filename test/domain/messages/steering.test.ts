/* News for running agents before their next model call, and how a pause suspends them. */
import { describe, expect, test } from 'vitest';
import { buildAgentInput } from '../../../domain/attempt/agent-input.ts';
import { buildPromptContext } from '../../../domain/attempt/build-prompt-context.ts';
import { newsFor } from '../../../domain/messages/steering.ts';
import type { TaskNews } from '../../../domain/types/agent.ts';
import { packState, unpackState } from '../../../domain/carried/carried-state.ts';
import { startable, taskStatus } from '../../../domain/schedule/schedule.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { usedNow } from '../../../domain/schedule/budget-limits.ts';
import { agentExecutor, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from '../attempt/support-driver.ts';

const agents = (...ids: string[]): Driver =>
  new Driver(stateOf(ids.map((id) => subtask(id, { executor: agentExecutor }))), t0);

const nothing: TaskNews = { paused: false, steering: [] };

describe('steering', () => {
  const driver = agents('a', 'b');
  driver.record({ type: 'task.steered', text: 'for all' });
  driver.record({ type: 'task.steered', text: 'for b', subtask: 'b' });
  driver.record({ type: 'task.steered', text: 'for a', subtask: 'a' });

  test.each([
    {
      subtask: 'a',
      since: 0,
      texts: [
        [1, 'for all'],
        [3, 'for a'],
      ],
    },
    { subtask: 'a', since: 1, texts: [[3, 'for a']] },
    { subtask: 'a', since: 2, texts: [[3, 'for a']] },
    { subtask: 'a', since: 3, texts: [] },
    {
      subtask: 'b',
      since: 0,
      texts: [
        [1, 'for all'],
        [2, 'for b'],
      ],
    },
    { subtask: 'b', since: 2, texts: [] },
    { subtask: 'unknown', since: 0, texts: [[1, 'for all']] },
  ])('of $subtask after number $since', ({ subtask: id, since, texts }) => {
    const { steering } = newsFor(driver.state, { subtask: id, since });
    expect(steering.map(({ id: number, text }) => [number, text])).toEqual(texts);
  });

  test('is told to whoever asks without saying for whom, as far as it is for all', () => {
    expect(newsFor(driver.state).steering).toEqual([{ id: 1, text: 'for all' }]);
  });

  test('keeps its numbers in a new run', () => {
    const carried = unpackState(JSON.parse(JSON.stringify(packState(driver.state))));
    if (carried === undefined) throw new Error('the state cannot be read back');
    expect(newsFor(carried, { subtask: 'a', since: 1 })).toEqual(newsFor(driver.state, { subtask: 'a', since: 1 }));
  });

  test('that the prompt has is no news to an attempt that begins with it', () => {
    const begun = driver.begin('b');
    const { steered = 0 } = buildAgentInput(driver.state, 'b', begun);
    expect(buildPromptContext(driver.state, 'b').steering).toEqual(['for all', 'for b']);
    expect(newsFor(driver.state, { subtask: 'b', since: steered })).toEqual(nothing);
    driver.record({ type: 'task.steered', text: 'later' });
    expect(newsFor(driver.state, { subtask: 'b', since: steered }).steering).toEqual([{ id: 4, text: 'later' }]);
  });
});

describe('a pause', () => {
  test('is news to every agent for as long as it lasts', () => {
    const { state } = agents('a');
    const driver = new Driver(state, t0);
    const paused = (): boolean => newsFor(driver.state, { subtask: 'a', since: 0 }).paused;
    expect(paused()).toBe(false);
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    expect(paused()).toBe(true);
    driver.record({ type: 'task.resumed' });
    expect(paused()).toBe(false);
  });

  /** An agent that ran for a minute, stood still for an hour, and goes on. */
  function pausedFor(ms: number): Driver {
    const driver = agents('a', 'b');
    driver.begin('a');
    driver.now += 60_000;
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    driver.suspend('a', { why: 'pause', reason: 'The task is paused.', waitMs: null });
    driver.now += ms;
    return driver;
  }

  test('suspends the attempt: it holds no slot, nothing starts, and no time counts', () => {
    const driver = pausedFor(3_600_000);
    const { state } = driver;
    expect(state.queue.running).toEqual([]);
    expect(startable(state, driver.now)).toEqual([]);
    expect(taskStatus(state, driver.now)).toBe('paused');
    expect(usedNow(state, driver.now).wallClock).toBe(60_000);
    expect(state.log.events.at(-1)).toMatchObject({
      type: 'attempt.suspended',
      why: 'pause',
      waitMs: null,
      text: 'a: The task is paused; attempt 1 waits.',
    });
  });

  test('ends with the resume, with the same attempt, whose counts are as they were', () => {
    const driver = pausedFor(3_600_000);
    const before = { climb: subtaskOf(driver.state, 'a').climb, startedAt: recordOf(driver.state, 'a')?.startedAt };
    driver.record({ type: 'task.resumed' });
    driver.beginAll();
    expect(driver.state.log.events.filter(({ type }) => type === 'attempt.resumed')).toMatchObject([
      { subtask: 'a', attempt: 1, why: 'pause' },
    ]);
    expect(subtaskOf(driver.state, 'a').climb).toEqual(before.climb);
    expect(recordOf(driver.state, 'a')).toMatchObject({ attempt: 1, startedAt: before.startedAt, outcome: 'running' });
    expect(usedNow(driver.state, driver.now + 1_000).wallClock).toBe(61_000);
  });

  test('that was over before the agent came back lets it go on at once', () => {
    const driver = agents('a');
    driver.begin('a');
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    driver.record({ type: 'task.resumed' });
    driver.suspend('a', { why: 'pause', reason: 'The task is paused.', waitMs: null });
    expect(startable(driver.state, driver.now)).toEqual(['a']);
  });

  test('and an open question of the same attempt: each has to end before it goes on', () => {
    const driver = agents('a');
    driver.begin('a');
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    driver.ask('a', { kind: 'question', call: '1.1', question: 'Which one?', options: [] });
    driver.answer({ decisionId: 'a-1', option: 'answer', instruction: 'this' });
    expect(startable(driver.state, driver.now)).toEqual([]);
    driver.record({ type: 'task.resumed' });
    expect(startable(driver.state, driver.now)).toEqual(['a']);
    expect(driver.begin('a').reply).toMatchObject({ kind: 'answered', text: 'this' });
  });

  test('and a cancellation: the attempt ends with the task', () => {
    const driver = pausedFor(1_000);
    driver.stop('someone cancelled it');
    driver.endCancelled();
    expect(driver.state.control.ended?.state).toBe('cancelled');
    expect(recordOf(driver.state, 'a')?.outcome).toBe('cancelled');
  });
});
