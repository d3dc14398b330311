// A program with nothing but the Temporal client: minimal plans, plans that cannot run, and what the Web UI shows.
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../client/index.ts';
import { decisionOpened, endOf, eventOf, linesOf, currentDetailsOf, shellPlan, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';

const rig = useRig();

async function start(args: unknown[]): Promise<string> {
  const workflowId = `task-bare-${randomUUID()}`;
  await rig.temporal.workflow.start('task', { workflowId, taskQueue: rig.taskQueue, args });
  rig.adopt(workflowId);
  return workflowId;
}

/** How the workflow failed. */
async function failureOf(workflowId: string): Promise<ApplicationFailure> {
  const error: unknown = await rig.temporal.workflow
    .getHandle(workflowId)
    .result()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const { cause } = error as WorkflowFailedError;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  return cause as ApplicationFailure;
}

const run = (sh: string) => ({ kind: 'command', run: ['sh', '-c', sh] });

describe('a bare client', () => {
  test('starts a task with the least that a plan needs', async () => {
    const workspace = rig.workspace();
    const workflowId = await start([
      {
        goal: 'say hello',
        workspace,
        executor: run('echo "$HEDDLE_TASK_ID" > id.txt; echo hello'),
        subtasks: [{ id: 'hello' }],
      },
    ]);
    const result: unknown = await rig.temporal.workflow.getHandle(workflowId).result();
    expect(result).toMatchObject({
      state: 'completed',
      reason: '1 subtask done, 1 of 1 subtask unchecked',
      workspace,
      subtasks: [{ id: 'hello', state: 'completed', verdict: 'unchecked' }],
    });
    expect(linesOf(join(workspace, 'id.txt'))).toEqual([workflowId.replace('task-', '')]);
    const [listed] = await rig.client.list(`WorkflowId = '${workflowId}'`);
    expect(listed).toMatchObject({ goal: 'say hello', state: 'completed' });
  });

  test('finds the subtasks of a failed task in the details of its failure', async () => {
    const workspace = rig.workspace();
    const ladder = [{ tier: 'assigned' }];
    const subtasks = [{ id: 'made' }, { id: 'broken', dependsOn: ['made'], ladder, maxAttempts: 1, verify: ['false'] }];
    const workflowId = await start([{ goal: 'fail', workspace, executor: run('echo ok'), subtasks }]);
    const error: unknown = await rig.temporal.workflow
      .getHandle(workflowId)
      .result()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      cause: {
        type: 'TASK_FAILED',
        details: [{ subtasks: [{ state: 'completed' }, { id: 'broken', state: 'failed' }] }],
      },
    });
  });

  test('sees ids in letters of any script in the activities', async () => {
    const workspace = rig.workspace();
    const workflowId = await start([
      {
        goal: 'x',
        workspace,
        executor: run('echo ok'),
        subtasks: [{ id: 'entwürfe' }, { id: '報告-1.2_a', dependsOn: ['entwürfe'] }],
      },
    ]);
    await rig.temporal.workflow.getHandle(workflowId).result();
    const { events } = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
    const ids = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityId ?? []);
    expect(ids.slice(1)).toEqual([
      'entwürfe-1-execute',
      'entwürfe-1-verify',
      '報告-1.2_a-1-execute',
      '報告-1.2_a-1-verify',
    ]);
  });
});

describe('a plan that cannot run fails the workflow with the code of the problem', () => {
  const ok = run('echo ok');
  test.each<{ code: string; plan: unknown }>([
    {
      code: 'PLAN_CYCLE',
      plan: {
        goal: 'x',
        executor: ok,
        subtasks: [
          { id: 'a', dependsOn: ['b'] },
          { id: 'b', dependsOn: ['a'] },
        ],
      },
    },
    { code: 'PLAN_UNKNOWN_KEY', plan: { goal: 'x', executor: ok, subtasks: [{ id: 'a' }], subtaks: [] } },
    { code: 'PLAN_EMPTY', plan: undefined },
    { code: 'PLAN_WRONG_TYPE', plan: 'goal: x' },
    {
      code: 'PROGRAM_NOT_FOUND',
      plan: { goal: 'x', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['no-such-program-here'] } }] },
    },
    {
      code: 'WORKSPACE_NOT_FOUND',
      plan: { goal: 'x', workspace: '/nowhere/at/all', executor: ok, subtasks: [{ id: 'a' }] },
    },
    {
      code: 'VARIABLE_NOT_SET',
      plan: { goal: 'x', executor: { ...ok, env: ['NOBODY_SETS_THIS'] }, subtasks: [{ id: 'a' }] },
    },
  ])('$code', async ({ code, plan }) => {
    const workflowId = await start(plan === undefined ? [] : [plan]);
    const failure = await failureOf(workflowId);
    expect(failure).toMatchObject({ type: code, nonRetryable: true });
    const [problem] = failure.details as Problem[];
    expect(problem).toMatchObject({ code, message: failure.message, hint: expect.any(String) as string });
    expect(failure.failure?.stackTrace ?? '').toBe('');
    const task = rig.client.task(workflowId.replace('task-', ''));
    expect(await task.status()).toMatchObject({ state: 'failed', code, subtasks: [] });
    await expect(task.result()).rejects.toMatchObject({ code, hint: problem?.hint });
  });

  test('PLAN_INVALID lists all problems', async () => {
    const workflowId = await start([
      {
        goal: 'x',
        executor: ok,
        subtasks: [{ id: 'a', dependsOn: ['a'] }, { id: 'b', dependsOn: ['c'] }, { id: 'b' }],
        colour: 'red',
      },
    ]);
    const failure = await failureOf(workflowId);
    const [{ problems = [] } = {}] = failure.details as { problems?: Problem[] }[];
    expect(failure.type).toBe('PLAN_INVALID');
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'PLAN_CYCLE',
      'PLAN_DUPLICATE_ID',
      'PLAN_UNKNOWN_DEPENDENCY',
      'PLAN_UNKNOWN_KEY',
    ]);
  });
});

describe('the Web UI', () => {
  test('finds what waits by its search attributes, reads the question and its JSON answer', async () => {
    const task = await rig.start(
      shellPlan({ stuck: { sh: 'echo no >&2; exit 77' } }, { goal: 'ship *it*', project: 'site' }),
    );
    await eventOf(task, decisionOpened());
    const query = `HeddleWaitingOn = 'escalation' AND HeddleState = 'waiting' AND HeddleProject = 'site' AND WorkflowId = '${task.workflowId}'`;
    await until(async () => (await rig.client.list(query)).length === 1);
    expect((await rig.client.list(query))[0]).toMatchObject({
      id: task.id,
      state: 'waiting',
      waitingOn: ['escalation'],
      project: 'site',
    });
    const details = await currentDetailsOf(rig.temporal, task.workflowId);
    expect(details).toContain('**ship \\*it\\***');
    expect(details).toContain('### stuck-1');
    expect(details).toContain('- skip: stuck is skipped; nothing depends on it.');
    const example = /```json\n(.*)\n```/.exec(details)?.[1] ?? '';
    const answer = { ...(JSON.parse(example) as { decisionId: string; option: string }), option: 'skip' };
    await rig.temporal.workflow.getHandle(task.workflowId).executeUpdate('decide', { args: [answer] });
    expect(await endOf(task)).toBe('completed');
    const [ended] = await rig.client.list(`WorkflowId = '${task.workflowId}'`);
    expect(ended).toMatchObject({ state: 'completed', waitingOn: [] });
  });

  test('shows the plan, a summary for each activity and timer, and a description with an example for each message', async () => {
    const task = await rig.start(
      shellPlan(
        {
          draft: { sh: '[ $HEDDLE_ATTEMPT = 1 ] || echo done', description: 'Write it' },
          last: { sh: 'echo ok', dependsOn: ['draft'] },
        },
        { goal: 'ship it' },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const handle = rig.temporal.workflow.getHandle(task.workflowId);
    const { staticSummary, staticDetails } = await handle.describe().then(async (described) => ({
      staticSummary: await described.staticSummary(),
      staticDetails: await described.staticDetails(),
    }));
    expect(staticSummary).toBe('ship it');
    expect(staticDetails).toContain('- **draft**: Write it');
    expect(staticDetails).toContain('- **last** (after draft)');

    const { events } = await handle.fetchHistory();
    const labelled = (events ?? []).flatMap((event) => {
      const summary = Buffer.from(event.userMetadata?.summary?.data ?? '').toString();
      const id =
        event.activityTaskScheduledEventAttributes?.activityId ?? (event.timerStartedEventAttributes ? 'timer' : '');
      return /-(?:execute|verify)$|^timer$/.test(id) ? [`${id}: ${summary.replaceAll('"', '')}`] : [];
    });
    expect(labelled).toEqual([
      'draft-1-execute: draft · attempt 1 · tier 1',
      'draft-1-verify: draft · check attempt 1',
      'timer: wait before draft',
      'draft-2-execute: draft · attempt 2 · tier 1',
      'draft-2-verify: draft · check attempt 2',
      'last-1-execute: last · attempt 1 · tier 1',
      'last-1-verify: last · check attempt 1',
    ]);

    const { definition } = await handle.query<{
      definition: Record<
        'updateDefinitions' | 'signalDefinitions' | 'queryDefinitions',
        { name: string; description: string }[]
      >;
    }>('__temporal_workflow_metadata');
    for (const kind of ['updateDefinitions', 'signalDefinitions'] as const) {
      expect(definition[kind].map(({ name }) => name).sort()).toEqual(['decide', 'pause', 'resume', 'steer']);
      for (const { description } of definition[kind]) {
        const example = /Example: (\{.*\})/.exec(description)?.[1] ?? '';
        expect(() => JSON.parse(example) as unknown).not.toThrow();
      }
    }
    const queries = definition.queryDefinitions.map(({ name }) => name);
    expect(queries).toEqual(expect.arrayContaining(['status', 'plan', 'attempts', 'events']));
  });
});
