// 40 turns that read 0.4 MB, in a window for half a dozen of them, and kill -9 in the middle: every request fits, as the service that gets
// them counts; the history holds references only; and what was folded can be read again. `npm run test:agent` plays 200.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokenCount } from 'tokenx';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import { HeddleClient } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { endOf, replay } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

const turns = process.env['HEDDLE_SEEDS'] === undefined ? 40 : 200;
const killedAt = turns / 2;
const context = 16_000;
/** A call reads a file of 10 KB. */
const linesPerTurn = 100;
const lineOf = (number: number): string =>
  `line ${number} ${'of files that are too long for anybody '.repeat(3)}`.slice(0, 99);
const fileOf = (turn: number): string => `part-${turn}.txt`;

/** Which turn is asked for: the model says in each reply which one it is. */
const turnOf = ({ text }: ScriptedRequest): number => Number([...text.matchAll(/Step (\d+)\./g)].at(-1)?.[1] ?? 0) + 1;

/** A model that summarises has no tools. */
const isSummary = ({ body }: ScriptedRequest): boolean => !Array.isArray(body['tools']);

/** All that a model is told: system text and messages, and the schemas of its tools. Most of it was in the request before. */
function sizeOf({ body }: ScriptedRequest, known: Map<string, number>): number {
  const said = Array.isArray(body['messages']) ? (body['messages'] as unknown[]) : [];
  return [...said, body['tools']].reduce<number>((sum, part) => {
    const text = JSON.stringify(part);
    const size = known.get(text) ?? estimateTokenCount(text);
    known.set(text, size);
    return sum + size;
  }, 0);
}

function replyTo(turn: number) {
  const text = `Step ${turn}.`;
  if (turn <= turns) return { text, ...calls(['read_file', { path: fileOf(turn) }]) };
  if (turn === turns + 1) return { text, ...calls(['read_file', { path: 'ref:3.1', from: 90 }]) };
  return { text, ...finishes('all was read') };
}

test('a long conversation stays inside the window, and goes on after kill -9', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  for (let turn = 1; turn <= turns; turn += 1) {
    const lines = Array.from({ length: linesPerTurn }, (_, index) => lineOf((turn - 1) * linesPerTurn + index + 1));
    writeFileSync(join(workspace, fileOf(turn)), `${lines.join('\n')}\n`);
  }
  let isHeld = false;
  /** Of each request that was answered, with its reply. */
  const sizes: number[] = [];
  const known = new Map<string, number>();
  const service = await serveScript(async (request) => {
    if (isSummary(request)) return { text: 'The file was read from its first line on.' };
    const turn = turnOf(request);
    if (turn === killedAt && !isHeld) {
      isHeld = true;
      await new Promise(() => undefined);
    }
    const input = sizeOf(request, known);
    sizes.push(input + Number(request.body['max_tokens']));
    return { usage: { input, output: 100 }, ...replyTo(turn) };
  });
  // Whole replies: how they arrive is not what this is about, and costs as much as the rest of a turn.
  const model = `context = ${context}\noutput = 1000\nstream = false`;
  writeModels(workspace, service.url, { tiers: [1], model });
  const queue = `agent-long-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'long', HEDDLE_HOME: join(folder, 'home') };
  const victim = await startWorkerProcess(env);
  const task = await client.start(
    vouched({
      goal: 'Read it all',
      workspace,
      executor: { kind: 'agent', iterations: 300 },
      subtasks: [{ id: 'read', description: 'Read all parts' }],
    }),
    { id: `agent-long-${process.pid}` },
  );
  await until('the turn in the middle is asked for', () => isHeld, 120_000);
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);
  expect(await endOf(task)).toBe('completed');

  // Every request fits, with its schemas and its reply.
  const work = service.requests.filter((request) => !isSummary(request));
  const summaries = service.requests.length - work.length;
  expect(summaries).toBeGreaterThan(0);
  expect(summaries).toBeLessThan(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(context);
  // The request that was open when the worker died is sent again, byte by byte.
  const again = work.filter((request) => turnOf(request) === killedAt).map(({ body }) => JSON.stringify(body));
  expect(again).toHaveLength(2);
  expect(again[1]).toBe(again[0]);
  expect(work).toHaveLength(turns + 3);

  // What the third turn read is out of sight long since, and is read again by its reference.
  const asked = work.at(-2)?.text ?? '';
  expect(asked).not.toContain(lineOf(295));
  expect(work.at(-1)?.text).toContain(lineOf(295));

  const [record] = await task.attempts();
  expect(record).toMatchObject({ outcome: 'passed', attempt: 1, reruns: 1, toolCalls: turns + 1 });
  // The one that was out when the worker died counts too.
  expect(record?.modelCalls).toBe(work.length + summaries);
  const history = await connected.temporal.workflow.getHandle(task.workflowId).fetchHistory();
  const bytes = (history.events ?? []).reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  expect(bytes).toBeLessThan(100_000);
  expect(JSON.stringify(history.events)).not.toContain('of files that are too long');
  await next.end('SIGTERM');
  await replay(connected.temporal, task.workflowId);
}, 180_000);
