// `heddle mcp` as a program of a person uses it, with both protocol versions: what a model can do, and that it never answers for a person.
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { decisionOpened, eventOf, shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig();
const versions = ['2025-11-25', '2026-07-28'] as const;

interface Opened {
  client: Client;
  call: (name: string, args: Record<string, unknown>) => Promise<Called>;
  /** Forms that the client was asked to show. */
  forms: { message: string; requestedSchema: unknown }[];
}

interface Called {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

interface Options {
  version: (typeof versions)[number];
  role?: string;
  /** The person's answer to a form; a client without one cannot ask. */
  answer?: () => ElicitResult;
}

async function open({ version, role, answer }: Options): Promise<Opened> {
  const forms: Opened['forms'] = [];
  const client = new Client(
    { name: 'desk', version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      ...(version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : {}),
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      forms.push({
        message: params.message,
        requestedSchema: 'requestedSchema' in params ? params.requestedSchema : null,
      });
      return answer();
    });
  const env = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [inject('program'), 'mcp', ...(role === undefined ? [] : ['--role', role])],
      env: {
        ...env,
        TEMPORAL_ADDRESS: rig.address,
        HEDDLE_TASK_QUEUE: rig.taskQueue,
        HEDDLE_HOME: dirname(rig.storeFolder),
        NODE_COMPILE_CACHE: inject('compiled'),
      },
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    forms,
    call: async (name, args) => {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { isError, text, data: Object.fromEntries(Object.entries(structuredContent ?? {})) };
    },
  };
}

/** A task that asks about a refused program, and one whose agent wants to force a push. */
const seen = { asking: '', decision: '', gated: '', gate: '' };

beforeAll(async () => {
  const task = await rig.client.start({
    ...shellPlan({ deploy: { sh: 'echo no access >&2; exit 77' } }),
    workspace: rig.workspace(),
  });
  seen.asking = task.id;
  seen.decision = (await eventOf(task, decisionOpened())).decision.id;
  const gated = await rig.client.start({
    goal: 'Publish the branch',
    workspace: rig.workspace(),
    subtasks: [
      {
        id: 'push',
        description: 'Push it',
        executor: { kind: 'command', run: ['git', 'push', '--force', 'origin', 'main'] },
      },
    ],
  });
  seen.gated = gated.id;
  seen.gate = (await eventOf(gated, decisionOpened())).decision.id;
});

afterAll(async () => {
  for (const id of [seen.asking, seen.gated])
    await rig.temporal.workflow.getHandle(`task-${id}`).terminate('the test has ended');
});

const stillOpen = async (task = seen.asking, decision = seen.decision): Promise<boolean> =>
  (await rig.client.task(task).status()).decisions.some(({ id }) => id === decision);

describe.each(versions)('protocol %s', (version) => {
  test('a viewer looks, and is not even told of tools that change something', async () => {
    const { client, call } = await open({ version });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_tasks', 'task_status', 'wait_for_task', 'list_decisions', 'task_report', 'task_diff'],
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const status = await call('task_status', { task: seen.asking });
    expect(status.data).toMatchObject({ id: seen.asking, state: 'waiting' });
    expect(JSON.parse(status.text)).toEqual(status.data);
    expect((await call('wait_for_task', { task: seen.asking, seconds: 5 })).data['state']).toBe('waiting');
    const inbox = await call('list_decisions', { task: seen.asking });
    expect(inbox.data['items']).toMatchObject([{ id: seen.decision }]);
    expect((await call('task_report', { task: seen.asking })).text).toContain('# ');
    const missing = await call('task_status', { task: 'no-such-task' });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('TASK_NOT_FOUND')]);
    await expect(call('answer_decision', { task: seen.asking, decision: seen.decision })).rejects.toThrow();
  });

  test('without a person to ask, nothing is answered', async () => {
    const { call } = await open({ version, role: 'operator' });
    const { isError, text } = await call('answer_decision', {
      task: seen.asking,
      decision: seen.decision,
      option: 'abort',
    });
    expect([isError, text]).toEqual([true, expect.stringContaining(`heddle open ${seen.asking} ${seen.decision}`)]);
    expect(await stillOpen()).toBe(true);
  });

  test('a gated action is never answered here, whoever could be asked', async () => {
    const answer = (): ElicitResult => ({ action: 'accept', content: { option: 'approve' } });
    const { call, forms } = await open({ version, role: 'operator', answer });
    const { isError, text } = await call('answer_decision', { task: seen.gated, decision: seen.gate });
    expect([isError, text]).toEqual([true, expect.stringContaining(`heddle open ${seen.gated} ${seen.gate}`)]);
    expect(forms).toEqual([]);
    expect(await stillOpen(seen.gated, seen.gate)).toBe(true);
  });

  test('an operator starts, steers and ends a task, and the person behind the client answers', async () => {
    const answer = (): ElicitResult => ({
      action: 'accept',
      content: { option: 'fix', instruction: 'use the new key' },
    });
    const { call, forms } = await open({ version, role: 'operator', answer });
    const workspace = rig.workspace();
    const broken = { goal: 'x', workspace, subtasks: [{ id: 'a', description: 'a', dependsOn: ['b'] }] };
    expect((await call('check_plan', { plan: broken })).data).toMatchObject({ ok: false });
    const plan = { ...shellPlan({ deploy: { sh: 'echo no access >&2; exit 77' } }), workspace };
    const { data: started, text } = await call('start_task', { plan });
    expect(started, text).toMatchObject({ taskId: expect.any(String) as unknown });
    const id = String(started['taskId']);
    const task = rig.adopt(`task-${id}`);
    const { decision } = await eventOf(task, decisionOpened());
    expect((await call('steer_task', { task: id, text: 'be careful' })).data).toEqual({ taskId: id });
    const { data } = await call('answer_decision', { task: id, decision: decision.id });
    const by = `${userInfo().username} via desk`;
    expect(data).toEqual({ taskId: id, decisionId: decision.id, option: 'fix', by });
    expect(forms).toMatchObject([{ message: expect.stringContaining(decision.problem) as unknown }]);
    expect((await call('cancel_task', { task: id, reason: 'enough' })).data).toEqual({ taskId: id });
    expect((await call('wait_for_task', { task: id })).data['state']).toBe('cancelled');
  });

  test('a person who declines has answered nothing', async () => {
    const { call, forms } = await open({ version, role: 'decider', answer: () => ({ action: 'decline' }) });
    const { text } = await call('answer_decision', { task: seen.asking, decision: seen.decision });
    expect(forms).toHaveLength(1);
    expect(text).toContain('stays open');
    expect(await stillOpen()).toBe(true);
  });
});
