// What is sent to a project's memory on a real server: garbage does not end it, a full memory is carried on, and every history replays.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Teaching, ProjectMemory } from '../../domain/types/basic/memory.ts';
import { codeOf, replay, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';

/** Low enough that some hundred messages fill a run. */
const rig = useRig({
  server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '60' } },
});

let counter = 0;
const newProject = (): string => `m-${process.pid}-${(counter += 1)}`;

const name = (index: number): string => `timeout-${index.toString(16).padStart(8, '0')}`;
const seen = (index: number, given: Partial<Teaching['signatures'][number]> = {}): Teaching['signatures'][number] => ({
  signature: name(index),
  type: 'timeout',
  summary: 'too slow',
  count: 1,
  fixedAtRung: 3,
  hint: 'split it',
  at: Date.now(),
  ...given,
});
const lesson = (
  taskId: string,
  signatures: Teaching['signatures'] = [],
  answers: Teaching['answers'] = [],
): Teaching => ({
  taskId,
  signatures,
  answers,
});

/** As a task does it, and as anybody can: the server takes every payload. */
function send(project: string, ...payload: unknown[]): Promise<WorkflowHandle> {
  return rig.temporal.workflow.signalWithStart('project', {
    workflowId: `project-${project}`,
    taskQueue: rig.taskQueue,
    args: [{ project }],
    signal: 'learn',
    signalArgs: payload,
  });
}

const handleOf = (project: string): WorkflowHandle => rig.temporal.workflow.getHandle(`project-${project}`);
const runIdOf = async (project: string): Promise<string> => (await handleOf(project).describe()).runId;
const memoryOf = (project: string): Promise<ProjectMemory> => rig.client.project(project).memory();
const detailsOf = async (project: string): Promise<string> => {
  const metadata = await handleOf(project).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
};
const replayed = (project: string): void => {
  onTestFinished(async () => {
    await replay(rig.temporal, `project-${project}`);
  }, 60_000);
};

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { signatures: value };
  return value;
}

const garbage: readonly unknown[][] = [
  [],
  [undefined],
  [null],
  [[]],
  ['x'.repeat(1_900_000)],
  [5, 6, 7],
  [nested(3_000)],
  [
    JSON.parse(
      '{"__proto__": {"taskId": "t", "signatures": [], "answers": []}, "constructor": {"prototype": {"a": 1}}}',
    ),
  ],
  [{ taskId: 't', signatures: 'all', answers: [] }],
  [{ taskId: 't', signatures: [seen(1, { hint: 5 as unknown as string })], answers: [] }],
  [{ taskId: 't', signatures: [seen(1, { signature: '__proto__' })], answers: [] }],
  [{ taskId: {}, signatures: [], answers: [] }],
  [new Uint8Array([1, 2, 255])],
];

describe('a malformed lesson (bug: it ended the memory for good)', () => {
  test('is dropped, counted and shown, whatever its shape, and the next good one is learned', async () => {
    const project = newProject();
    replayed(project);
    for (const payload of garbage) await send(project, ...payload);
    await send(project, lesson('good', [seen(7)]));
    await until(async () => (await memoryOf(project)).signatures.length === 1);
    expect(await memoryOf(project)).toEqual({
      project,
      signatures: [
        { signature: name(7), type: 'timeout', summary: 'too slow', count: 1, fixedAtRung: 3, hint: 'split it' },
      ],
      answers: [],
      lessons: [],
    });
    const details = await detailsOf(project);
    expect(details).toContain(`${garbage.length} messages could not be applied`);
    expect(details).toContain('MESSAGE\\_INVALID');
    expect((await rig.client.project(project).set({ signature: name(7), rung: 4 })).signatures).toMatchObject([
      { fixedAtRung: 4 },
    ]);
  });

  test('one that cannot even be decoded is dropped too', async () => {
    const project = newProject();
    replayed(project);
    await send(project, lesson('first', [seen(1)]));
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const payload = (encoding: string, data: string) => ({
      metadata: { encoding: bytes(encoding) },
      data: bytes(data),
    });
    const broken = [
      [payload('json/protobuf', '{}')],
      [payload('json/plain', '{not json')],
      [payload('binary/encrypted', '???')],
      [{ metadata: {}, data: bytes('{}') }],
      [payload('json/plain', 'null'), payload('json/protobuf', '{}')],
    ];
    for (const payloads of broken) {
      await rig.temporal.workflowService.signalWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: `project-${project}` },
        signalName: 'learn',
        input: { payloads },
      });
    }
    await send(project, lesson('last', [seen(2)]));
    await until(async () => (await memoryOf(project)).signatures.length === 2);
    expect(await detailsOf(project)).toContain(`${broken.length} messages could not be applied`);
  });

  test('huge texts in a well-formed one are clipped', async () => {
    const project = newProject();
    replayed(project);
    await send(project, lesson('huge', [seen(1, { hint: '<b>'.repeat(600_000), summary: 's'.repeat(50_000) })]));
    const [known] = (await memoryOf(project)).signatures;
    expect(known?.hint).toHaveLength(limits.memory.hint);
    expect(known?.summary).toHaveLength(limits.summary);
    expect(await detailsOf(project)).not.toContain('<b>');
  });

  test('a project that was started with anything has the name of its id', async () => {
    const project = newProject();
    replayed(project);
    await rig.temporal.workflow.start('project', {
      workflowId: `project-${project}`,
      taskQueue: rig.taskQueue,
      args: [null, { version: 9, signatures: [null, seen(1)], answers: 5 }],
    });
    expect(await memoryOf(project)).toMatchObject({ project, signatures: [{ signature: name(1) }], answers: [] });
    expect(await detailsOf(project)).toContain('of another version');
  });
});

describe('updates', () => {
  test('a malformed one is refused with a code and changes nothing', async () => {
    const project = newProject();
    replayed(project);
    await send(project, lesson('a', [seen(1)]));
    const refused = async (update: string, payload: unknown): Promise<unknown> => {
      try {
        await handleOf(project).executeUpdate<unknown, [unknown]>(update, { args: [payload] });
        return 'taken';
      } catch (error) {
        return (error as { cause?: { type?: string } }).cause?.type;
      }
    };
    for (const payload of [
      null,
      [],
      'x',
      {},
      nested(3_000),
      { signature: '__proto__' },
      { signature: 'x'.repeat(1e6) },
    ])
      for (const update of ['forget', 'set', 'import']) expect(await refused(update, payload)).toBe('MESSAGE_INVALID');
    expect(await refused('forget', { signature: name(9) })).toBe('SIGNATURE_NOT_FOUND');
    expect(await refused('set', { signature: name(1), rung: 99 })).toBe('MESSAGE_INVALID');
    const many = Array.from({ length: 501 }, (_, index) => seen(index));
    expect(await refused('import', { signatures: many, answers: [] })).toBe('MEMORY_TOO_LARGE');
    expect((await memoryOf(project)).signatures).toHaveLength(1);
  });

  test('an import is taken at the edge of what a project can remember, and refused above it before it is sent', async () => {
    const project = newProject();
    replayed(project);
    const answers = (count: number, instruction: string) =>
      Array.from({ length: count }, (_, index) => ({ signature: name(index), option: 'fix', instruction }));
    const memory = rig.client.project(project);
    expect(await codeOf(memory.import({ signatures: [], answers: answers(10, 'x'.repeat(1_900_000)) }))).toBe(
      'MEMORY_TOO_LARGE',
    );
    expect(await codeOf(memory.import({ signatures: [], answers: answers(501, '') }))).toBe('MEMORY_TOO_LARGE');
    expect(await memory.memory()).toEqual({ project, signatures: [], answers: [], lessons: [] });
    const taken = await memory.import({
      signatures: Array.from({ length: 290 }, (_, index) => seen(index, { hint: '漢'.repeat(230) })),
      answers: answers(65, 'x'.repeat(3_900)),
    });
    expect(taken.signatures).toHaveLength(290);
    expect(taken.answers).toHaveLength(65);
    expect(JSON.stringify(taken).length).toBeGreaterThan(350_000);
    expect(await codeOf(memory.import({ signatures: [], answers: answers(70, 'x'.repeat(3_900)) }))).toBe(
      'MEMORY_TOO_LARGE',
    );
  });
});

test('a full memory is carried on again and again, with what was forgotten and taught', async () => {
  const project = newProject();
  replayed(project);
  const full = (from: number): Teaching['signatures'] =>
    Array.from({ length: 100 }, (_, index) =>
      seen(from + index, { hint: '漢'.repeat(500), summary: '漢'.repeat(200) }),
    );
  const told = (from: number): Teaching['answers'] =>
    Array.from({ length: 20 }, (_, index) => ({
      signature: name(from + index),
      option: 'fix',
      instruction: '漢'.repeat(4_000),
      at: Date.now(),
    }));
  for (let task = 0; task < 6; task += 1)
    await send(project, lesson(`full${task}`, full(task * 100), told(task * 100)));
  await until(async () => (await memoryOf(project)).signatures.at(-1)?.signature === name(599));
  const newest = await memoryOf(project);
  expect(Buffer.byteLength(JSON.stringify(newest))).toBeGreaterThan(480 * 1024);
  await rig.client.project(project).forget(name(599));
  const early = Date.now() - 60_000;
  const first = await runIdOf(project);
  let runs = 0;
  for (let last = first; runs < 3; runs += 1) {
    // Ten updates in flight at once, as many as the server allows: their answers must fit into one workflow task together.
    const changes = Array.from({ length: 10 }, (_, index) =>
      handleOf(project).executeUpdate('set', { args: [{ signature: name(598), rung: (index % 20) + 1 }] }),
    );
    await Promise.all(changes);
    for (let index = 0; index < 25; index += 1)
      await send(project, index % 2 === 0 ? lesson('full1', [seen(599)]) : null);
    await until(async () => (await runIdOf(project)) !== last, 30_000);
    last = await runIdOf(project);
  }
  await send(
    project,
    lesson('meanwhile', [seen(599, { at: early })], [{ signature: name(599), option: 'skip', at: early }]),
  );
  await sleep(500);
  const after = await memoryOf(project);
  expect(after.signatures.map((known) => known.signature)).not.toContain(name(599));
  expect(after.answers).toEqual(newest.answers);
  expect(after.signatures.map((known) => known.signature).slice(0, -1)).toEqual(
    newest.signatures.map((known) => known.signature).filter((known) => known !== name(599) && known !== name(598)),
  );
  expect(after.signatures.at(-1)).toMatchObject({ signature: name(598), count: 1 });
  expect(await detailsOf(project)).toContain(`${runs * 12} messages could not be applied`);
});
