import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { checkPlanText } from '../../plan-file/check-plan-text.ts';
import { loadPlanText } from '../../plan-file/load-plan-text.ts';
import type { Endpoint } from '../../ports/service.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { newTaskId } from '../../sdk/task-id.ts';
import { awaitPlan } from '../../start/await-plan.ts';
import { startOnce } from '../../start/start-once.ts';
import { prepareRetry, startRetry } from '../../start/start-retry.ts';
import { startTask } from '../../start/start-task.ts';
import { planRequest, retryRequest, startRequest } from '../../wire/requests.ts';
import { checkedPlan, retryPlan } from '../../wire/outcomes.ts';
import { startedTask } from '../../wire/task.ts';
import { configOf, planText, readWorkspace, requireWorkspace, type GivenPlan } from '../given-plan.ts';
import { hashBody, keyHeader, readKeyId } from '../idempotency.ts';
import { linksOfTask } from '../links.ts';
import { bodyBytes } from '../request/read-body.ts';
import { Refusal } from '../request/send-problem.ts';
import { none, route, type Call, type JsonReply, type Route } from '../route.ts';
import { checkWorkspace, noEnvironment } from '../workspace.ts';
import { findTask } from './find-task.ts';
import { isAbsolute } from 'node:path';
import { z } from 'zod';

const preferHeader = {
  name: 'Prefer',
  description: '`wait=N`, at most 30: answers once the task has a plan or is refused.',
};

/** Routes that start tasks. Nothing of the server's own environment gets into them. */
export const startRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/tasks',
    role: 'operator',
    summary: 'Starts a task from a plan, or from a goal that a model plans.',
    query: none,
    body: startRequest,
    bodyBytes: bodyBytes.plan,
    headers: [keyHeader, preferHeader],
    answers: [{ status: 201, description: 'It was started.', schema: startedTask }],
    errors: [
      'PLAN_SYNTAX',
      'PLAN_INVALID',
      'PLAN_NOT_SUPPORTED',
      'TASK_EXISTS',
      'TASK_ID_INVALID',
      'KEY_REUSED',
      'WORKSPACE_NOT_ALLOWED',
      'CONFIG_NOT_TRUSTED',
      'PREFLIGHT_FAILED',
      'PROCESS_NOT_FOUND',
      'PROCESS_NOT_TRUSTED',
      'PROCESS_INVALID',
      'INPUT_INVALID',
      'TASK_CANCELLED',
      'NO_WORKER',
    ],
    run: start,
  }),
  route({
    method: 'POST',
    path: '/plans/check',
    role: 'operator',
    summary: 'Checks a plan without starting anything.',
    query: none,
    body: planRequest,
    bodyBytes: bodyBytes.plan,
    answers: [{ status: 200, description: 'Its problems, and its graph.', schema: checkedPlan }],
    errors: ['WORKSPACE_NOT_ALLOWED', 'CONFIG_NOT_TRUSTED'],
    run: check,
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/retry',
    role: 'operator',
    summary: 'Starts an ended task again and takes over what is finished; with `dryRun` only says what would run.',
    query: none,
    body: retryRequest,
    bodyBytes: bodyBytes.plan,
    headers: [keyHeader],
    answers: [
      { status: 200, description: 'What would be taken over and run.', schema: retryPlan },
      { status: 201, description: 'It was started.', schema: z.intersection(startedTask, retryPlan) },
    ],
    errors: [
      'TASK_NOT_FOUND',
      'TASK_RUNNING',
      'TASK_EXISTS',
      'KEY_REUSED',
      'RETRY_NOT_NEEDED',
      'RETRY_DOES_NOT_FIT',
      'SUBTASK_NOT_FOUND',
      'PLAN_SYNTAX',
      'PLAN_INVALID',
      'PLAN_NOT_SUPPORTED',
      'WORKSPACE_NOT_ALLOWED',
      'CONFIG_NOT_TRUSTED',
      'NO_WORKER',
    ],
    run: retry,
  }),
];

async function start(call: Call<unknown, z.output<typeof startRequest>>): Promise<JsonReply> {
  const { parts, body, identity } = call;
  const keyId = readKeyId(call);
  const seconds = readWait(call.request);
  await requireWorkspace(parts, body.plan);
  const config = configOf(parts);
  const loaded = await loadPlanText(planText(body.plan), { cwd: '/', config: (place) => config.at(place) });
  const made = await config.followProcess(loaded);
  await config.findModels(made);
  const endpoint = await parts.endpoint();
  const id = body.id ?? (keyId === undefined ? newTaskId() : `k-${keyId}`);
  const begin = async (key?: string): Promise<TaskHandle> => {
    const { shareWorkspace } = body;
    const request = { plan: made.raw, id, shareWorkspace, by: identity.name, key, detach: true };
    return (await startTask(endpoint, config, request)).handle;
  };
  const hash = hashBody(body);
  const handle =
    keyId === undefined ? await begin() : await startOnce(endpoint.client, { id, hash }, () => begin(hash));
  return created(call, endpoint, handle, seconds === undefined ? 'planning' : await settle(handle, seconds));
}

function created(call: Call<unknown, unknown>, endpoint: Endpoint, handle: TaskHandle, state: string) {
  const links = linksOfTask(call.parts, endpoint, handle.id);
  return {
    status: 201 as const,
    json: { taskId: handle.id, workflowId: handle.workflowId, state, links },
    headers: { location: links.self },
  };
}

/** A task that was refused exists all the same: the error names it. */
async function settle(handle: TaskHandle, seconds: number): Promise<string> {
  try {
    return await awaitPlan(handle, seconds * 1_000);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    throw new Refusal(error, { facts: { taskId: handle.id } });
  }
}

function readWait(request: Request): number | undefined {
  const wait = /(?:^|[\s,;])wait=(\d{1,3})(?:$|[\s,;])/.exec(request.headers.get('prefer') ?? '')?.[1];
  return wait === undefined ? undefined : Math.min(Number(wait), 30);
}

async function check({ parts, body }: Call<unknown, z.output<typeof planRequest>>): Promise<JsonReply> {
  const config = configOf(parts);
  const place = workspaceOf(body.plan);
  if (place !== undefined) await checkWorkspace(parts, place);
  const checked = await checkPlanText(planText(body.plan), {
    cwd: place ?? '/',
    ...(place === undefined ? {} : { config: (at) => config.at(at) }),
  });
  return { json: checked };
}

/** A plan that cannot be read names no folder; what is wrong with it is told as its problem. */
function workspaceOf(plan: GivenPlan): string | undefined {
  try {
    const workspace = readWorkspace(plan);
    return workspace !== undefined && isAbsolute(workspace) ? workspace : undefined;
  } catch (error) {
    if (error instanceof HeddleError) return undefined;
    throw error;
  }
}

async function retry(call: Call<unknown, z.output<typeof retryRequest>>): Promise<JsonReply> {
  const { parts, body, identity } = call;
  const keyId = readKeyId(call);
  const { endpoint, handle } = await findTask(call);
  const plan = body.plan === undefined ? undefined : await loadGiven(call, body.plan);
  const prepared = await prepareRetry(
    noEnvironment(parts),
    { endpoint, handle },
    { ...(plan === undefined ? {} : { plan }), ...(body.from === undefined ? {} : { from: body.from }) },
  );
  if (prepared.input.workspace !== undefined) await checkWorkspace(parts, prepared.input.workspace);
  const about = {
    reused: prepared.reused.map(({ id }) => id),
    runs: prepared.runs.map(({ id }) => id),
    rechecked: prepared.rechecked,
  };
  if (body.dryRun === true) return { json: { taskId: prepared.taskId, ...about } };
  const hash = hashBody(body);
  const { config, input, variables } = prepared;
  const id = `k-${keyId ?? ''}`;
  const started =
    keyId === undefined
      ? await startRetry(endpoint, prepared, identity.name)
      : await startOnce(endpoint.client, { id, hash }, () =>
          config.startWithVariables(endpoint, input, { id, variables, by: identity.name, key: hash }),
        );
  const reply = created(call, endpoint, started, 'planning');
  return { ...reply, json: { ...reply.json, ...about } };
}

async function loadGiven({ parts }: Call<unknown, unknown>, plan: GivenPlan) {
  await requireWorkspace(parts, plan);
  const config = configOf(parts);
  return (await loadPlanText(planText(plan), { cwd: '/', config: (place) => config.at(place) })).raw;
}
