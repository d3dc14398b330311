// What a stranger may send to a task through the server: payloads that cannot be decoded, and huge ones. Recorded, nothing stuck.
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../client/index.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { codeOf, currentDetailsOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { runsIn, until, witness } from '../support/witness.ts';
import { ofType } from './typed-events.ts';

const rig = useRig();

/** Asks a person after one run, and passes afterwards. */
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

interface Payload {
  metadata: Record<string, Uint8Array>;
  data: Uint8Array;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const payload = (encoding: string, data: string): Payload => ({
  metadata: { encoding: bytes(encoding) },
  data: bytes(data),
});

const undecodable: [string, Payload[]][] = [
  ['json/protobuf, which the Web UI offers', [payload('json/protobuf', '{"decisionId":"work-1"}')]],
  ['no JSON', [payload('json/plain', '{not json')]],
  ['an encryption that nobody here knows', [payload('binary/encrypted', '???')]],
  ['no encoding', [{ metadata: {}, data: bytes('{}') }]],
  [
    'a second argument of that kind, behind a wrong first',
    [payload('json/plain', '5'), payload('json/protobuf', '{}')],
  ],
];

const completed =
  proto.temporal.api.enums.v1.UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED;
const messages = ['decide', 'steer', 'pause', 'resume'] as const;
const queries = ['status', 'plan', 'attempts', 'events', 'results', 'archive', 'steering'];

async function signal(task: TaskHandle, signalName: string, payloads: Payload[]): Promise<void> {
  await rig.temporal.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: task.workflowId },
    signalName,
    input: { payloads },
  });
}

async function asking(): Promise<{ task: TaskHandle; workspace: string }> {
  const workspace = rig.workspace();
  const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace }));
  await eventOf(task, decisionOpened());
  return { task, workspace };
}

const refusals = async (task: TaskHandle) => ofType(await task.events(), 'message.refused');

/** The task still takes a good message and ends by it. */
async function answerAndEnd({ task, workspace }: { task: TaskHandle; workspace: string }): Promise<void> {
  await task.decide({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  expect(runsIn(workspace)).toHaveLength(2);
}

test('signals whose payload cannot be decoded are recorded, and the task goes on', async () => {
  const { task, workspace } = await asking();
  for (const [what, payloads] of undecodable) {
    const before = (await refusals(task)).length;
    for (const name of messages) await signal(task, name, payloads);
    await until(async () => (await refusals(task)).length === before + messages.length);
    const refused = (await refusals(task)).slice(before);
    expect(
      refused.map(({ message }) => message),
      what,
    ).toEqual([...messages]);
    for (const { text } of refused) expect(text, what).toContain('MESSAGE_INVALID');
    expect(await currentDetailsOf(rig.temporal, task.workflowId)).toContain('A signal was refused');
    expect(await task.status()).toMatchObject({ state: 'waiting', decisions: [{ id: 'work-1' }] });
  }
  await answerAndEnd({ task, workspace });
});

test('an update or a query whose payload cannot be decoded is refused to its sender, and the task goes on', async () => {
  const { task, workspace } = await asking();
  const broken = { payloads: [payload('json/protobuf', '{}')] };
  const update = rig.temporal.workflowService.updateWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: task.workflowId },
    waitPolicy: { lifecycleStage: completed },
    request: { meta: { updateId: 'broken', identity: 'a stranger' }, input: { name: 'decide', args: broken } },
  });
  expect((await update).outcome?.failure?.message).toBeTruthy();
  // While an answer is on its way: what takes the task out of its worker would take the answer with it.
  const asked = queries.map((queryType) =>
    rig.temporal.workflowService
      .queryWorkflow({
        namespace: 'default',
        execution: { workflowId: task.workflowId },
        query: { queryType, queryArgs: broken },
      })
      .then(() => 'answered', String),
  );
  await answerAndEnd({ task, workspace });
  for (const said of await Promise.all(asked)) expect(said).toContain('the payload is not JSON');
});

/** Nearly as much as the server takes; the others are as far above what a task keeps, and cost less. */
const huge = 'x'.repeat(1_900_000);
const large = 'x'.repeat(200_000);

const shapes: [string, (typeof messages)[number], unknown][] = [
  ['a string', 'steer', { text: huge }],
  ['no object', 'steer', large],
  ['an instruction', 'decide', { decisionId: 'work-1', option: 'fix', instruction: large }],
  ['the id of a decision', 'decide', { decisionId: large, option: 'retry' }],
  ['an option', 'decide', { decisionId: 'work-1', option: large }],
  ['the name of a field', 'decide', { decisionId: 'work-1', option: 'retry', [large]: 1 }],
  ['a field that is none', 'resume', { because: large }],
];

test('huge signals are recorded in a few words, and a pause is cut or refused, never carried whole', async () => {
  const { task, workspace } = await asking();
  const handle = rig.temporal.workflow.getHandle(task.workflowId);
  for (const [index, [what, name, content]] of shapes.entries()) {
    await handle.signal(name, content);
    await until(async () => (await refusals(task)).length === index + 1, 60_000);
    const refused = (await refusals(task)).at(-1);
    expect(refused?.message, what).toBe(name);
    expect(refused?.text.length, what).toBeLessThan(600);
    const details = await currentDetailsOf(rig.temporal, task.workflowId);
    expect(details.length, what).toBeLessThan(limits.currentDetails + 1);
    expect(await task.status()).toMatchObject({ state: 'waiting' });
  }
  await handle.signal('pause', { reason: huge });
  await until(async () => {
    const { state } = await task.status();
    return state === 'paused' || (await refusals(task)).length > shapes.length;
  });
  expect(JSON.stringify(await task.status()).length).toBeLessThan(20_000);
  expect(JSON.stringify(await task.events()).length).toBeLessThan(20_000);
  expect(await codeOf(task.resume())).toBeUndefined();
  await answerAndEnd({ task, workspace });
});
