// A question about a failure opens in words of ours; a model may find better ones, if they are plain, and nothing waits for it.
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import { loadReport } from '../../../client/report/load-report.ts';
import { isEvent } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';
import { playModels, type Entry } from './support.ts';

const rig = useRig();

const template = /^work ended with an error/;
const words = 'The pump has no power, so nothing could be pumped.';
const says = (reply: Entry['reply'], times = 1): Entry => ({
  when: { role: 'planner', subtask: 'work', contains: 'no power' },
  times,
  reply,
});

async function ask(script: Entry[], rest: object = {}): Promise<TaskHandle> {
  const workspace = rig.workspace();
  playModels(workspace, script);
  const ladder = [{ tier: 'assigned' as const }, { person: true }];
  const task = await rig.start(
    shellPlan({ work: { sh: 'echo "no power" >&2; exit 1' } }, { workspace, ladder, ...rest }),
  );
  await eventOf(task, decisionOpened());
  return task;
}

/** The model was asked, and the task knows what came of it. */
async function wasAsked({ workflowId }: TaskHandle): Promise<boolean> {
  const { events } = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
  const asked = events?.find(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityId === 'work-1-phrase',
  );
  const done = events?.findIndex(({ activityTaskCompletedEventAttributes: completed }) =>
    asked?.eventId?.eq(completed?.scheduledEventId ?? 0),
  );
  const last = events?.findLastIndex(
    ({ workflowTaskCompletedEventAttributes: taken }) => taken !== undefined && taken !== null,
  );
  return done !== undefined && done !== -1 && (last ?? 0) > done;
}

const problemOf = async (task: TaskHandle): Promise<string | undefined> => (await task.status()).decisions[0]?.problem;
const callsOf = async (task: TaskHandle): Promise<number | undefined> =>
  (await task.status()).planner?.reduce((sum, { calls }) => sum + calls, 0);

test('plain words take the place of ours: in the status, the inbox and the report', async () => {
  const task = await ask([says({ text: words })]);
  expect((await eventOf(task, decisionOpened())).decision.problem).toMatch(template);
  expect(await eventOf(task, isEvent('decision.phrased'))).toMatchObject({ text: words, decisionId: 'work-1' });
  const { decisions, budget } = await task.status();
  expect(decisions).toMatchObject([{ id: 'work-1', kind: 'escalation', problem: words }]);
  expect(decisions[0]?.tried[0]).toContain('no power');
  const { items } = await rig.client.inbox();
  expect(items.find(({ taskId }) => taskId === task.id)).toMatchObject({ problem: words });
  expect(budget).toMatchObject({ modelCalls: { used: 1 } });
  expect(await callsOf(task)).toBe(1);
  await task.decide({ decisionId: 'work-1', option: 'skip' });
  await endOf(task);
  expect((await loadReport(task)).report.decisions).toMatchObject([{ problem: words, option: 'skip' }]);
}, 30_000);

test.each([
  ['a path', { text: 'See /var/log/pump for why.' }, 1],
  ['nothing at all', { status: 400 }, undefined],
])(
  'with %s in the answer the words stay',
  async (_, reply, calls) => {
    const task = await ask([says(reply, 9)]);
    await until(() => wasAsked(task));
    expect(await problemOf(task)).toMatch(template);
    expect(await callsOf(task)).toBe(calls);
    await task.decide({ decisionId: 'work-1', option: 'skip' });
    await endOf(task);
  },
  30_000,
);

test('neither an answer nor the end waits for it, and a task with little budget has none', async () => {
  const task = await ask([says({ text: words, delay: 20_000 })]);
  await task.decide({ decisionId: 'work-1', option: 'skip' });
  expect(await endOf(task)).toBe('completed');
  const poor = await ask([says({ text: words })], { budget: { modelCalls: 9 } });
  await poor.decide({ decisionId: 'work-1', option: 'skip' });
  await endOf(poor);
  expect((await poor.status()).planner).toBeUndefined();
  expect((await poor.status()).budget).toMatchObject({ modelCalls: { used: 0 } });
}, 30_000);
