// A task that outlives its workflow run: what is open, said and counted in one run holds in the next.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { HeddleClient, type EventOfTask, type PlanInput, type TaskHandle } from '../../../client/index.ts';
import { eventsOf, isEvent } from '../../support/events.ts';
import { useOwnActivity } from '../../support/own-activity.ts';
import { codeOf, decisionOpened, endOf, eventOf, refusalOf, shellPlan, useRig } from '../../support/rig.ts';
import { playModels, plans } from '../planning/support.ts';
import { namesOf, promptIn, runsIn, until, witness } from '../../support/witness.ts';

/** Low enough that every stage below fills a run; a task is only carried on while nothing runs. */
const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '18' } } });

/** Where what runs is not the matter: it leaves the line that a program would. */
const executor = useOwnActivity(rig, ({ subtaskId, attempt, workspace }) => {
  appendFileSync(join(workspace, 'runs.log'), `${subtaskId} ${attempt}\n`);
  return { status: 'success', notes: 'done' };
});

const ok = `${witness}; echo done`;
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

const runIdOf = async (task: TaskHandle): Promise<string> =>
  (await rig.temporal.workflow.getHandle(task.workflowId).describe()).runId;

/** Workflow runs of a task, newest first. */
async function runIdsOf(task: TaskHandle): Promise<string[]> {
  const ids: string[] = [];
  for (let id: string | undefined = await runIdOf(task); id !== undefined;) {
    ids.push(id);
    const { events } = await rig.temporal.workflow.getHandle(task.workflowId, id).fetchHistory();
    id = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return ids;
}

const carriedOn = (task: TaskHandle, since: string): Promise<void> =>
  until(async () => (await runIdOf(task)) !== since);

type Subtasks = NonNullable<PlanInput['subtasks']>;

/** Parallel subtasks, enough to fill a run, then one that asks a person; and the next stage behind it. */
const stages = (count: number): Subtasks =>
  Array.from({ length: count }, (_, index) => index + 1).flatMap((stage) => {
    const dependsOn = stage === 1 ? [] : [`gate${stage - 1}`];
    const wide = [1, 2].map((n) => `s${stage}${n}`);
    const gate = shellPlan({ [`gate${stage}`]: { sh: asks, dependsOn: wide } });
    return [...wide.map((id) => ({ id, dependsOn, executor })), ...gate.subtasks];
  });

/** The stages, and what is said of others beside them. */
const planOf = (count: number, more: Parameters<typeof shellPlan>[0], rest: Partial<PlanInput>): PlanInput => ({
  goal: 'a test',
  ...rest,
  subtasks: [...stages(count), ...shellPlan(more).subtasks],
});

async function collect(task: TaskHandle, into: EventOfTask[]): Promise<void> {
  for await (const event of task.follow({ since: 0 })) into.push(event);
}

const idsOf = (subtasks: Subtasks): string[] => subtasks.map(({ id }) => id);
const numbers = (events: readonly { id: number }[]): number[] => events.map(({ id }) => id);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('a task over several runs', () => {
  test('of subtasks that have words of JavaScript as ids keeps them apart', async () => {
    const workspace = rig.workspace();
    const words = Object.getOwnPropertyNames(Object.prototype).filter((id) => id !== '__proto__');
    const program = (sh: string) => ({ kind: 'command' as const, run: ['sh', '-c', sh] });
    const task = await rig.start({
      goal: 'words as names',
      workspace,
      subtasks: [
        ...words.map((id) => ({ id, executor })),
        { id: '__proto__', dependsOn: words, executor: program(asks) },
        { id: 'prototype', dependsOn: ['__proto__'], executor: program(ok) },
      ],
    });
    await eventOf(task, decisionOpened('__proto__-1'));
    await task.steer({ text: 'be brief', subtask: '__proto__' });
    await task.decide({ decisionId: '__proto__-1', option: 'retry' });
    expect(await codeOf(task.decide({ decisionId: '__proto__-1', option: 'skip' }))).toBe('DECISION_ALREADY_ANSWERED');
    expect(await endOf(task)).toBe('completed');
    expect((await runIdsOf(task)).length).toBeGreaterThan(1);
    expect(namesOf(workspace).sort()).toEqual([...words, '__proto__', '__proto__', 'prototype'].sort());
    expect(promptIn(workspace, '__proto__', 2)).toContain('<steering>\nbe brief\n</steering>');
    expect(promptIn(workspace, 'prototype')).toContain('<dependency id="__proto__" status="success">');
    expect((await task.status()).subtasks.every(({ state }) => state === 'completed')).toBe(true);
  });

  test('loses nothing and doubles nothing: questions, steering, events', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(planOf(3, {}, { workspace }));
    const followed: EventOfTask[] = [];
    const following = collect(task, followed);
    const over = new AbortController();
    const steered = steerUntil(task, idsOf(stages(3)), over.signal);
    let before = await runIdOf(task);
    for (const gate of ['gate1', 'gate2', 'gate3']) {
      await eventOf(task, decisionOpened(`${gate}-1`));
      if (gate !== 'gate3') await carriedOn(task, before);
      before = await runIdOf(task);
      await task.decide({ decisionId: `${gate}-1`, option: 'retry', by: gate });
    }
    expect(await endOf(task)).toBe('completed');
    over.abort();
    await following;

    expect((await runIdsOf(task)).length).toBeGreaterThanOrEqual(3);
    // The list knows one task, however many runs it had.
    await expect.poll(() => rig.client.list(`WorkflowId = '${task.workflowId}'`)).toHaveLength(1);
    const names = namesOf(workspace).sort();
    const once = [1, 2, 3].flatMap((stage) => [`s${stage}1`, `s${stage}2`]);
    expect(names).toEqual([...once, 'gate1', 'gate1', 'gate2', 'gate2', 'gate3', 'gate3'].sort());
    const { lastEventId } = await task.status();
    expect(numbers(followed)).toEqual(upTo(lastEventId));
    expect(await task.events()).toEqual(followed);
    expect(numbers(await task.events(lastEventId - 3))).toEqual(upTo(lastEventId).slice(-3));
    const told = eventsOf(followed, 'task.steered').map(({ instruction }) => instruction);
    expect(told).toEqual(await steered);
    expect(told.length).toBeGreaterThan(2);
    const answered = eventsOf(followed, 'decision.answered');
    expect(answered.map(({ by }) => by)).toEqual(['gate1', 'gate2', 'gate3']);
    expect((await task.attempts()).map(({ subtask }) => subtask).sort()).toEqual(names);
  });

  test('goes on by the plan that took the place of the first', async () => {
    const workspace = rig.workspace();
    playModels(
      workspace,
      plans({
        reason: 'More is needed.',
        subtasks: [
          ...idsOf(stages(1)).map((id) => ({ id })),
          { id: 'more', dependsOn: ['gate1'], verify: ['test -d .'] },
        ],
        superseded: [{ id: 'vain', reason: 'nobody reads it' }],
      }),
    );
    const vain = { sh: ok, dependsOn: ['gate1'] };
    const task = await rig.start(planOf(1, { vain }, { workspace, executor }));
    await eventOf(task, decisionOpened('gate1-1'));
    await task.steer({ text: 'do more', replan: true });
    await eventOf(task, isEvent('plan.replaced'));
    await until(async () => (await runIdsOf(task)).length > 1);
    await task.decide({ decisionId: 'gate1-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace).sort()).toEqual(['gate1', 'gate1', 'more', 's11', 's12']);
    expect(await task.status()).toMatchObject({ planVersion: 2, budget: { replans: { used: 1 } } });
  });

  test('remembers update ids, who answered, the pause, the steering and the goal', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(planOf(2, { first: { sh: asks } }, { workspace, goal: 'carry me' }));
    await eventOf(task, decisionOpened('first-1'));
    const answer = { decisionId: 'first-1', option: 'retry', by: 'ana' };
    const taken = await task.decide(answer, { updateId: 'the-answer' });
    await task.steer({ text: 'be brief' }, { updateId: 'the-steering' });
    await eventOf(task, decisionOpened('gate1-1'));
    await eventOf(task, isEvent('subtask.completed', 'first'));
    await task.pause({ reason: 'breakfast' }, { updateId: 'the-pause' });
    const told = await runIdOf(task);
    await until(async () => {
      await task.resume();
      await task.pause({ reason: 'lunch' });
      return (await runIdOf(task)) !== told;
    });

    expect(await task.decide(answer, { updateId: 'the-answer' })).toEqual(taken);
    expect(await codeOf(task.decide(answer))).toBe('DECISION_ALREADY_ANSWERED');
    await task.steer({ text: 'be brief' }, { updateId: 'the-steering' });
    expect(await task.status()).toMatchObject({ state: 'paused', summary: 'Paused: lunch', goal: 'carry me' });
    await task.decide({ decisionId: 'gate1-1', option: 'retry' });
    await sleep(300);
    expect(runsIn(workspace).filter(({ subtask }) => subtask === 'gate1')).toHaveLength(1);
    await task.resume();
    await task.pause({ reason: 'breakfast' }, { updateId: 'the-pause' });
    await eventOf(task, decisionOpened('gate2-1'));
    expect(promptIn(workspace, 'gate2')).toContain('<steering>\nbe brief\n</steering>');
    const events = await task.events();
    expect(events.filter(({ type }) => type === 'task.steered')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'decision.answered')).toHaveLength(2);
    const [listed] = await rig.client.list(`WorkflowId = '${task.workflowId}' AND ExecutionStatus = 'Running'`);
    expect(listed).toMatchObject({ goal: 'carry me', waitingOn: ['escalation'] });
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  });

  test('keeps a wait for the environment, its attempt and its time', async () => {
    const workspace = rig.workspace();
    const full = 'echo "ENOSPC: no space left on device" >&2; exit 1';
    const sick = `${witness}; [ $(grep -c ^sick runs.log) -gt 1 ] || { until [ -e go ]; do sleep 0.05; done; ${full}; }; echo done`;
    const task = await rig.start(planOf(1, { sick: { sh: sick } }, { workspace }));
    await eventOf(task, decisionOpened('gate1-1'));
    const first = await runIdOf(task);
    writeFileSync(join(workspace, 'go'), '');
    const suspended = await eventOf(task, isEvent('attempt.suspended'));
    expect(suspended).toMatchObject({
      subtask: 'sick',
      attempt: 1,
      why: 'environment',
      phase: 'execute',
      waitMs: 5_000,
    });
    await carriedOn(task, first);
    const waiting = (await task.status()).subtasks.find(({ id }) => id === 'sick');
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1 });
    expect(Date.parse(waiting?.notBefore ?? '') - Date.parse(suspended.time)).toBe(5_000);
    await eventOf(task, isEvent('attempt.resumed', 'sick'));
    await eventOf(task, isEvent('subtask.completed', 'sick'));
    expect(runsIn(workspace).filter(({ subtask }) => subtask === 'sick')).toMatchObject([
      { attempt: 1, key: `${task.id}/sick/1` },
      { attempt: 1, key: `${task.id}/sick/1` },
    ]);
    const [record] = (await task.attempts()).filter(({ subtask }) => subtask === 'sick');
    expect(record).toMatchObject({ attempt: 1, outcome: 'passed', waits: [{ ms: 5_000 }] });
    await task.decide({ decisionId: 'gate1-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
  });

  test('moves the oldest of very many events to the store, and a follower still sees all', async () => {
    const workspace = rig.workspace();
    const wide = Array.from({ length: 50 }, (_, n) => ({ id: `w${n}`, description: 'do nothing', executor }));
    const plan = shellPlan({ gate: { sh: asks } }, { workspace, maxParallelSubtasks: 10 });
    const task = await rig.start({ ...plan, subtasks: [...wide, ...plan.subtasks] });
    const followed: EventOfTask[] = [];
    const following = collect(task, followed);
    const stranger = new HeddleClient(rig.temporal, { taskQueue: rig.taskQueue }).task(task.id);
    await eventOf(task, decisionOpened('gate-1'));
    await until(async () => (await stranger.allEvents()).missing.length > 0, 50_000);
    await task.decide({ decisionId: 'gate-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    await following;
    const { lastEventId } = await task.status();
    expect(numbers(followed)).toEqual(upTo(lastEventId));
    expect(numbers(await task.events())).toEqual(upTo(lastEventId));
    const { items, missing } = await stranger.allEvents();
    expect(missing).toEqual([{ from: 1, to: (items[0]?.id ?? 0) - 1 }]);
  });
});

/** Sends instructions all the time, to one subtask after the other, until it is over or there is no more room; those that were taken, in order. */
async function steerUntil(task: TaskHandle, subtasks: readonly string[], signal: AbortSignal): Promise<string[]> {
  const taken: string[] = [];
  for (let n = 1; !signal.aborted; n += 1) {
    const subtask = subtasks[n % subtasks.length] ?? '';
    const refusal = await refusalOf(task.steer({ text: `instruction ${n}`, subtask }));
    if (refusal?.code === 'STEERING_FULL') break;
    if (refusal === undefined) taken.push(`instruction ${n}`);
    else if (refusal.code !== 'TASK_ENDED') throw new Error('an instruction was refused', { cause: refusal });
    await sleep(400);
  }
  return taken;
}
