// Programs and people change things by HTTP: the tests look at the task, the answer and the memory behind the API.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useApi } from '../../support/api/api-rig.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

interface Started {
  taskId: string;
  workflowId: string;
  state: string;
}

const plan = (sh: string, rest: object = {}) => ({
  ...shellPlan({ work: { sh } }),
  workspace: rig.workspace(),
  ...rest,
});

async function start(body: object, headers: Record<string, string> = {}) {
  const answer = await api.ask('POST', '/tasks', { as: 'operator-ana', body, headers });
  const started = answer.json as Started;
  if (answer.status === 201) rig.adopt(started.workflowId);
  return { ...answer, ...started };
}

test('a task is started under the name of the token, and awaited until it has a plan', async () => {
  const { status, taskId, headers, state, json } = await start(
    { plan: plan('true', { planApproval: true }) },
    { prefer: 'respond-async, wait=20' },
  );
  expect([status, state, headers['location']]).toEqual([201, 'waiting', `/api/v1/tasks/${taskId}`]);
  expect(json).toMatchObject({
    workflowId: `task-${taskId}`,
    links: { console: `${api.origin}/tasks/${taskId}`, webUi: null },
  });
  expect((await api.ask('GET', `/tasks/${taskId}`)).json).toMatchObject({ by: 'ana', decisions: [{ kind: 'plan' }] });
  const text = `goal: from text\nworkspace: ${rig.workspace()}\nsubtasks:\n  - { id: a, description: b, executor: { kind: command, run: ["true"] } }\n`;
  expect((await start({ plan: text, id: `text-${taskId}` })).taskId).toBe(`text-${taskId}`);
});

test('a plan that the preflight refuses is told with its code and its task', async () => {
  const refused = await start({ plan: plan('true', { workspace: '/nowhere/at/all' }) }, { prefer: 'wait=20' });
  expect(refused.status).toBe(422);
  const { error } = refused.json as { error: { code: string; taskId: string } };
  expect(error.code).toBe('WORKSPACE_NOT_FOUND');
  expect(await rig.client.task(error.taskId).end()).toMatchObject({ state: 'failed' });
});

test('the environment of the server starts nothing: a folder that is not trusted is refused', async () => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'heddle.toml'), '[gates]\nallow = ["shell:rm"]\n');
  process.env['HEDDLE_TRUST'] = '1';
  const refused = await start({ plan: plan('true', { workspace }) });
  delete process.env['HEDDLE_TRUST'];
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('CONFIG_NOT_TRUSTED')]);
});

test('the same key starts one task, and refuses another body', async () => {
  const body = { plan: plan('sleep 30') };
  const key = { 'idempotency-key': 'once and for all' };
  const [first, second] = await Promise.all([start(body, key), start(body, key)]);
  expect([first.status, second.status, second.taskId]).toEqual([201, 201, first.taskId]);
  const other = await start({ plan: plan('sleep 31') }, key);
  expect([other.status, other.text]).toEqual([409, expect.stringContaining('KEY_REUSED')]);
  const ben = await api.ask('POST', '/tasks', { as: 'operator-ben', body, headers: key });
  rig.adopt((ben.json as Started).workflowId);
  expect((ben.json as Started).taskId).not.toBe(first.taskId);
});

test('an answer is given once: the same key gets it again, and who comes later is told who was first', async () => {
  const task = await rig.start(shellPlan({ one: { sh: 'exit 77' }, two: { sh: 'exit 77' } }));
  await eventOf(task, decisionOpened('one-1'));
  const path = `/tasks/${task.id}/decisions/one-1`;
  const answer = (as: string, body: object, headers = {}) => api.ask('POST', path, { as, body, headers });
  const key = { 'idempotency-key': 'k' };
  const taken = await answer('decider-ben', { option: 'skip' }, key);
  expect([taken.status, taken.json]).toEqual([
    200,
    { taskId: task.id, decisionId: 'one-1', option: 'skip', by: 'ben' },
  ]);
  expect((await answer('decider-ben', { option: 'skip' }, key)).json).toEqual(taken.json);
  const late = await answer('decider-ana', { option: 'retry' });
  expect(late.status).toBe(409);
  expect(late.json).toMatchObject({
    error: { code: 'DECISION_ALREADY_ANSWERED', answer: { option: 'skip', by: 'ben', source: 'person' } },
  });
  expect((await api.ask('GET', path)).json).toMatchObject({ answer: { by: 'ben' }, kind: 'escalation' });
  await eventOf(task, decisionOpened('two-1'));
  const batch = await api.ask('POST', '/decisions', {
    as: 'decider-ana',
    body: {
      answers: [
        { taskId: task.id, decisionId: 'one-1', option: 'skip' },
        { taskId: task.id, decisionId: 'two-1', option: 'abort' },
      ],
    },
  });
  expect(batch.json).toMatchObject({
    items: [
      {
        ok: false,
        error: { code: 'DECISION_ALREADY_ANSWERED', answer: { option: expect.any(String) as unknown, by: 'ben' } },
      },
      { decisionId: 'two-1', ok: true },
    ],
  });
  expect(await endOf(task)).toBe('cancelled');
});

test('a signal is taken without an answer, and a bad one becomes an event', async () => {
  const task = await rig.start(shellPlan({ one: { sh: 'exit 77' } }));
  await eventOf(task, decisionOpened('one-1'));
  const send = (option: string) =>
    api.ask('POST', `/tasks/${task.id}/decisions/one-1`, { as: 'decider', body: { option, delivery: 'signal' } });
  expect((await send('fly')).json).toEqual({ taskId: task.id, decisionId: 'one-1', delivery: 'signal' });
  await eventOf(task, (event) => event.type === 'message.refused');
  expect((await send('abort')).status).toBe(202);
  expect(await endOf(task)).toBe('cancelled');
});

test('a task is steered, paused, resumed and cancelled by name', async () => {
  const task = await rig.start(shellPlan({ work: { sh: 'sleep 60' }, rest: { sh: 'true', dependsOn: ['work'] } }));
  await eventOf(task, (event) => event.type === 'attempt.started');
  const ask = async (verb: string, body: object, as = 'operator-ana') =>
    (await api.ask('POST', `/tasks/${task.id}/${verb}`, { as, body })).status;
  expect(await ask('steer', { text: 'be brief' }, 'decider-ben')).toBe(200);
  expect(await ask('steer', { text: 'again', replan: true }, 'decider-ben')).toBe(403);
  expect(await ask('pause', { reason: 'lunch' })).toBe(200);
  expect((await task.status()).state).toBe('paused');
  expect(await ask('resume', {})).toBe(200);
  expect(await ask('cancel', { reason: 'enough' })).toBe(202);
  expect(await endOf(task)).toBe('cancelled');
  const events = await task.events();
  expect(events).toContainEqual(expect.objectContaining({ type: 'task.steered', who: 'ben' }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'task.paused', who: 'ana', reason: 'lunch' }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'task.resumed', who: 'ana' }));
  expect(events.find(({ type }) => type === 'task.cancelling')?.text).toContain('enough');
});

test('an ended task is tried again with what is finished, and its files are brought back', async () => {
  const workspace = mkdtempSync(join(rig.workspace(), 'w-'));
  writeFileSync(join(workspace, 'kept.txt'), 'before');
  const plan = shellPlan({
    draft: { sh: 'echo after > kept.txt; echo new > new.txt', deliverables: ['new.txt'] },
    gate: { sh: 'test -e open || exit 77; echo done', dependsOn: ['draft'] },
  });
  const task = await rig.start({ ...plan, workspace });
  await eventOf(task, decisionOpened('gate-1'));
  await task.decide({ decisionId: 'gate-1', option: 'abort' });
  await endOf(task);
  const retry = (body: object, headers = {}) =>
    api.ask('POST', `/tasks/${task.id}/retry`, { as: 'operator-ana', body, headers });
  expect((await retry({ dryRun: true })).json).toMatchObject({ reused: ['draft'], runs: ['gate'] });
  writeFileSync(join(workspace, 'open'), '');
  const key = { 'idempotency-key': 'retry once' };
  const started = await retry({}, key);
  expect([started.status, started.json]).toEqual([201, expect.objectContaining({ reused: ['draft'] })]);
  const { taskId, workflowId } = started.json as Started;
  expect(await endOf(rig.adopt(workflowId))).toBe('completed');
  expect(((await retry({}, key)).json as Started).taskId).toBe(taskId);
  const undone = await api.ask('POST', `/tasks/${task.id}/undo`, { body: {} });
  expect([undone.status, readFileSync(join(workspace, 'kept.txt'), 'utf8')]).toEqual([200, 'before']);
});

test('a plan is checked with the place of each problem and what can be read of its graph', async () => {
  const given = {
    goal: 'x',
    subtasks: [
      { id: 'a', description: 'x' },
      { id: 'b', description: 'x', dependsOn: ['c'] },
    ],
  };
  const checked = await api.ask('POST', '/plans/check', { body: { plan: given } });
  expect(checked.json).toMatchObject({
    ok: false,
    subtasks: [
      { id: 'a', dependsOn: [] },
      { id: 'b', dependsOn: ['c'] },
    ],
  });
  expect((checked.json as { problems: object[] }).problems).toContainEqual(
    expect.objectContaining({ code: 'PLAN_UNKNOWN_DEPENDENCY', path: ['subtasks', 1, 'dependsOn', 0] }),
  );
  expect((await api.ask('POST', '/plans/check', { body: { plan: plan('true') } })).json).toMatchObject({ ok: true });
});

test('what a project remembers is corrected and forgotten', async () => {
  const task = await rig.start(shellPlan({ one: { sh: 'echo no access >&2; exit 77' } }, { project: 'api-memory' }));
  await eventOf(task, decisionOpened('one-1'));
  await task.decide({ decisionId: 'one-1', option: 'abort' });
  await endOf(task);
  const path = '/projects/api-memory';
  const read = async () => (await api.ask('GET', path)).json as { signatures: { signature: string; hint: string }[] };
  await expect.poll(async () => (await read()).signatures.length).toBe(1);
  const signature = (await read()).signatures[0]?.signature ?? '';
  const one = `${path}/signatures/${encodeURIComponent(signature)}`;
  const fixed = await api.ask('PATCH', one, { body: { hint: 'log in first' } });
  expect(fixed.json).toMatchObject({ signatures: [{ hint: 'log in first' }] });
  expect((await api.ask('DELETE', one)).json).toMatchObject({ signatures: [] });
  expect(api.bugs).toEqual([]);
});
