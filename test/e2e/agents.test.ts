// What the workflow makes of agents, whatever they are: grants, questions, waits, and the ends of both.
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../domain/types/agent.ts';
import type { Outcome, Suspended, ResourceUsage } from '../../domain/types/outcome.ts';
import { agentExecutor, finishedOf, refOf, subtask } from '../domain/support-task.ts';
import { useAgentRig } from '../support/agent-rig.ts';
import { endOf, eventOf, decisionOpened, eventsOf } from '../support/events.ts';
import { codeOf, currentDetailsOf } from '../support/rig.ts';
import { until } from '../support/witness.ts';

const rig = useAgentRig();
const agents = (...ids: string[]) => ids.map((id) => subtask(id, { executor: agentExecutor }));

const calls = (modelCalls: number): ResourceUsage => ({
  costUsd: modelCalls / 100,
  tokens: modelCalls * 10,
  modelCalls,
});
const done = (used: ResourceUsage): Outcome => finishedOf({ used });
const stands = (given: Partial<Suspended>): Outcome => ({
  kind: 'suspended',
  used: calls(1),
  reruns: 0,
  why: 'wait',
  reason: 'it stands still',
  waitMs: null,
  checkpoint: null,
  ...given,
});
const asks: Ask = { kind: 'question', call: '2.0', question: 'Which colour?', options: ['red', 'blue'] };

describe('a question of an agent', () => {
  test('stands in the Web UI with its answer, and the same attempt goes on with it', async () => {
    const task = await rig.start(agents('paint'), {}, (_, nth) =>
      nth === 1 ? stands({ why: 'question', asks }) : done(calls(2)),
    );
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision).toMatchObject({ id: 'paint-1', kind: 'question', problem: 'paint asks: Which colour?' });
    expect(decision.options.map(({ id, label }) => `${id}: ${label}`)).toEqual([
      'option-1: red',
      'option-2: blue',
      'answer: Answer in my own words',
      'decline: Do not answer',
    ]);
    expect(await task.status()).toMatchObject({ state: 'waiting', subtasks: [{ state: 'waiting', attempts: 1 }] });
    expect(await currentDetailsOf(rig.temporal, task.workflowId)).toContain(
      '{"decisionId":"paint-1","option":"answer","instruction":"say here what your answer is"}',
    );
    expect(await codeOf(task.decide({ decisionId: 'paint-1', option: 'answer' }))).toBe('DECISION_NEEDS_INSTRUCTION');
    expect(await codeOf(task.decide({ decisionId: 'paint-1', option: 'option-3' }))).toBe('DECISION_UNKNOWN_OPTION');
    await task.decide({ decisionId: 'paint-1', option: 'option-2', instruction: 'a dark one' });
    expect(await endOf(task)).toBe('completed');

    const [first, second] = rig.inputs;
    expect(first?.agent).toMatchObject({ grant: {}, resume: null, outputFactor: 1, spent: { costUsd: 0, tokens: 0 } });
    expect(first?.agent?.brief).toEqual({ counts: { running: 1 }, subtasks: [{ id: 'paint', status: 'running' }] });
    expect(second?.agent?.resume).toEqual({ kind: 'answered', call: '2.0', text: 'blue\na dark one' });
    const key = ({ attempt, idempotencyKey, startedAt }: (typeof rig.inputs)[number]) => [
      attempt,
      idempotencyKey,
      startedAt,
    ];
    expect(rig.inputs.map(key)[1]).toEqual(rig.inputs.map(key)[0]);
    const events = await task.events();
    expect(eventsOf(events, 'attempt.suspended')).toMatchObject([{ why: 'question', attempt: 1 }]);
    expect(eventsOf(events, 'attempt.resumed')).toMatchObject([{ why: 'question', attempt: 1 }]);
    expect(eventsOf(events, 'attempt.rerun')).toEqual([]);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', modelCalls: 2, tokens: 20 }]);
  });

  test('that is open when the task is cancelled ends with it, and so does its attempt', async () => {
    const task = await rig.start(agents('paint'), {}, () => stands({ why: 'question', asks }));
    await eventOf(task, decisionOpened());
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'cancelled' }]);
    expect((await task.attempts())[0]?.endedAt).not.toBeNull();
    expect((await task.status()).decisions).toEqual([]);
  });

  test('about a call of which nobody knows whether it took effect is settled by the answer', async () => {
    const unknown: Ask = {
      kind: 'unknown-effect',
      call: '3.1',
      tool: 'write_file',
      action: 'Write a.md.',
      evidence: '',
    };
    const task = await rig.start(agents('a'), {}, (_, nth) =>
      nth === 1 ? stands({ why: 'unknown-effect', asks: unknown }) : done(calls(1)),
    );
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision.options.map(({ id }) => id)).toEqual(['happened', 'did-not-happen', 'abort']);
    await task.decide({ decisionId: decision.id, option: 'happened' });
    expect(await endOf(task)).toBe('completed');
    expect(rig.inputs[1]?.agent?.resume).toEqual({ kind: 'settled', call: '3.1', outcome: 'happened' });
  });
});

describe('a budget of calls', () => {
  test('is handed out in shares, never exceeded by agents beside each other, and asks at its end', async () => {
    // Each needs six calls, one execution after the other, and spends all that it is given.
    const need = 6;
    const spent = new Map<string, number>();
    const task = await rig.start(agents('a', 'b'), { budget: { modelCalls: 9 } }, ({ subtaskId, agent }) => {
      const before = agent?.spent?.modelCalls ?? 0;
      const most = before + (agent?.grant.modelCalls ?? 0);
      spent.set(subtaskId, Math.min(need, most));
      return most >= need ? done(calls(need)) : stands({ used: calls(most), why: 'budget' });
    });
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision).toMatchObject({ kind: 'budget', budget: 'modelCalls' });
    expect([...spent.values()].reduce((sum, used) => sum + used, 0)).toBe(9);
    expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 9, limit: 9 } });
    await task.decide({ decisionId: decision.id, option: 'raise', value: 12 });
    expect(await endOf(task)).toBe('completed');
    expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 12, limit: 12 } });
    const events = await task.events();
    expect(eventsOf(events, 'task.stalled')).toEqual([]);
    expect((await task.attempts()).map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('that is met exactly by the last call of a task asks nothing', async () => {
    const task = await rig.start(agents('a'), { budget: { modelCalls: 2 }, onExhausted: 'stop' }, () => done(calls(2)));
    expect(await endOf(task)).toBe('completed');
    expect(eventsOf(await task.events(), 'budget.exhausted')).toEqual([]);
  });

  test('`onExhausted: stop`: running work is stopped, what is done is kept, and the task fails with its code', async () => {
    let hasStopped = false;
    const task = await rig.start(
      [...agents('first', 'second'), subtask('long')],
      { budget: { modelCalls: 3 }, onExhausted: 'stop', maxParallelSubtasks: 2 },
      async ({ subtaskId, agent }) => {
        if (subtaskId === 'first') return done(calls(1));
        if (subtaskId === 'second') return stands({ used: calls(agent?.grant.modelCalls ?? 0), why: 'budget' });
        const { Context } = await import('@temporalio/activity');
        const beat = setInterval(() => Context.current().heartbeat(), 50);
        await Context.current().cancelled.catch(() => undefined);
        clearInterval(beat);
        hasStopped = true;
        throw await Context.current().cancelled.catch((error: unknown) => error);
      },
    );
    expect(await endOf(task)).toBe('failed');
    await until(() => hasStopped);
    const status = await task.status();
    expect(status).toMatchObject({ state: 'failed', code: 'BUDGET_EXHAUSTED' });
    expect(status.subtasks.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'first completed',
      'second skipped',
      'long skipped',
    ]);
    const [ended] = eventsOf(await task.events(), 'task.ended');
    expect(ended).toMatchObject({ state: 'failed', code: 'BUDGET_EXHAUSTED' });
    await expect(task.result()).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  });

  test('`finish` skips what stands still and keeps what is done', async () => {
    const task = await rig.start(
      agents('a', 'b'),
      { budget: { modelCalls: 2 }, maxParallelSubtasks: 1 },
      ({ subtaskId, agent }) =>
        subtaskId === 'a' ? done(calls(1)) : stands({ used: calls(agent?.grant.modelCalls ?? 0), why: 'budget' }),
    );
    const { decision } = await eventOf(task, decisionOpened());
    await task.decide({ decisionId: decision.id, option: 'finish' });
    expect(await endOf(task)).toBe('completed');
    expect((await task.attempts()).map(({ subtask: id, outcome }) => `${id} ${outcome}`)).toEqual([
      'a passed',
      'b cancelled',
    ]);
  });
});

test('what an agent tells of itself stands in its record and in the events', async () => {
  const models = [{ model: 'small', role: 'executor' as const, calls: 2, tokens: 20, costUsd: 0.02 }];
  const refusals = Array.from({ length: 60 }, (_, n) => ({ tool: 'write_file', why: `no ${n}` }));
  const used = { ...calls(2), toolCalls: 5, mutations: 1 };
  const task = await rig.start(agents('a'), {}, () => finishedOf({ used, models, transcript: refOf(9), refusals }));
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([
    { modelCalls: 2, toolCalls: 5, models, transcriptRef: refOf(9).sha256, costUsd: 0.02 },
  ]);
  expect(eventsOf(await task.events(), 'tool.refused')).toHaveLength(50);
  expect((await task.status()).budget).toMatchObject({
    modelCalls: { used: 2, limit: null },
    toolCalls: { used: 5, limit: null },
    mutations: { used: 1, limit: null },
  });
  const report = await task.report();
  expect(report.models).toEqual(models.map((use) => ({ ...use, role: 'executor' })));
});

test('a wait that an agent asks for is a durable timer without a slot, and an attempt that names nothing does not spin', async () => {
  const task = await rig.start(
    [...agents('waits'), subtask('other')],
    { maxParallelSubtasks: 1, limits: { environmentWait: { first: 300, factor: 2, most: 1_000, times: 5 } } },
    ({ subtaskId }, nth) => {
      if (subtaskId === 'other' || nth === 3) return done(calls(1));
      return nth === 1 ? stands({ waitMs: 200 }) : stands({ why: 'question' });
    },
  );
  expect(await endOf(task)).toBe('completed');
  expect(rig.inputs.map(({ subtaskId }) => subtaskId)).toEqual(['waits', 'other', 'waits', 'waits']);
  const suspended = eventsOf(await task.events(), 'attempt.suspended');
  expect(suspended.map(({ waitMs }) => waitMs)).toEqual([200, 600]);
});
