// kill -9 of a worker that leads agents, at named points of their conversations: the next worker goes on with each of them. No effect
// happens twice, no answer is paid twice but the one in flight, and what was spent is right. `npm run test:agent` plays 20 seeds.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../../client/index.ts';
import { objectFile } from '../../../activities/store/store-layout.ts';
import { until } from '../../support/cli.ts';
import { decisionOpened, endOf, eventOf, replay } from '../../support/rig.ts';
import { serveScript, writeModels, type ScriptedModels, type WireKind } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';
import { Chance } from '../random/chance.ts';
import { holdingAt, isHeld, type Holds } from './holds.ts';
import { playOf, points, turnOf, usdOfTurn, type Play } from './points.ts';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

/** Most that a request of these plays can cost, while nobody knows what it did cost. */
const usdOfReserve = 0.02;

interface Stage {
  point: (typeof points)[number];
  id: string;
  play: Play;
  workspace: string;
  service: ScriptedModels;
  /** The worker has reached the point. */
  isReached: () => boolean;
}

async function setStage(point: Stage['point'], seed: string, folder: string): Promise<Stage> {
  const id = `agent-${process.pid}-${seed}-${point.name}`;
  const chance = new Chance(`${seed} ${point.name}`);
  const play = playOf(point.name, chance);
  const workspace = join(folder, `${seed}-${point.name}`);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'log.txt'), 'the end\n');
  let isHolding = false;
  const service = await serveScript(async (request) => {
    const turn = turnOf(request);
    if (point.name === 'during-the-call' && turn === play.nth && !isHolding) {
      isHolding = true;
      await new Promise(() => undefined);
    }
    return play.turns[turn - 1] ?? { text: 'there is no such turn' };
  });
  const kind: WireKind = chance.once(2) ? 'anthropic' : 'openai-compatible';
  writeModels(workspace, service.url, { kind, model: `output = 1000\nstream = ${chance.once(2)}` });
  const isReached = (): boolean => ('hold' in point ? isHeld(join(folder, 'held'), id) : isHolding);
  return { point, id, play, workspace, service, isReached };
}

const holdsOf = (stages: readonly Stage[]): Holds =>
  Object.fromEntries(
    stages.flatMap(({ id, point, play }) => ('hold' in point ? [[id, { ...point.hold, nth: play.nth }]] : [])),
  );

async function startTask(client: HeddleClient, { id, workspace }: Stage): Promise<TaskHandle> {
  const plan = {
    goal: 'Add the lines',
    workspace,
    executor: 'agent' as const,
    budget: { modelCalls: 50, costUsd: 1 },
    subtasks: [{ id: 'add', description: 'Add the lines to log.txt', deliverables: ['log.txt'] }],
  };
  return client.start(vouched(plan), { id });
}

async function checkStage({ point, play, workspace, service }: Stage, task: TaskHandle, home: string): Promise<void> {
  expect(readFileSync(join(workspace, 'log.txt'), 'utf8')).toBe([...play.lines, 'the end\n'].join('\n'));
  const again = { nothing: 0, 'asked-again': 1, reserved: 0 }[point.cost];
  expect(service.requests.map(turnOf).sort((one, other) => one - other)).toEqual(
    play.turns.flatMap((_, index) => Array<number>(index + 1 === play.nth ? again + 1 : 1).fill(index + 1)),
  );
  const [record, ...others] = await task.attempts();
  expect(others).toEqual([]);
  const turns = play.turns.length;
  const lost = point.cost === 'nothing' ? 0 : 1;
  expect(record).toMatchObject({
    outcome: 'passed',
    attempt: 1,
    reruns: point.name === 'while-a-question-is-open' ? 0 : 1,
    modelCalls: turns + lost,
    models: [{ model: 'tier1', calls: turns + lost, costUsd: record?.costUsd }],
  });
  const paid = (record?.costUsd ?? 0) - turns * usdOfTurn;
  expect(paid).toBeGreaterThan(lost * usdOfTurn - 1e-9);
  expect(paid).toBeLessThan(lost * usdOfReserve + 1e-9);
  const { budget } = await task.status();
  expect(budget).toMatchObject({ modelCalls: { used: turns + lost }, costUsd: { used: record?.costUsd } });
  const transcript = readFileSync(objectFile(join(home, 'store'), record?.transcriptRef ?? ''), 'utf8');
  expect(transcript.match(/^_Begins: /gm)).toHaveLength(play.lines.length);
  expect(transcript.match(/^### Result of edit_file/gm)).toHaveLength(play.lines.length);
  expect(transcript).not.toContain('### Error');
}

/** All points at once: each conversation stands still at its own, and all die together. */
async function killAt(seeds: readonly string[]): Promise<void> {
  const folder = testFolder();
  const [home, held] = [join(folder, 'home'), join(folder, 'held')];
  mkdirSync(held);
  const queue = `agent-kill-${process.pid}-${seeds.join('-')}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const stages = await Promise.all(seeds.flatMap((seed) => points.map((point) => setStage(point, seed, folder))));
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'kill', HEDDLE_HOME: home };
  const victim = await startWorkerProcess({ ...env, ...holdingAt(holdsOf(stages), held) });
  const played = await Promise.all(stages.map(async (stage) => ({ stage, task: await startTask(client, stage) })));
  const asking = played.filter(({ stage }) => stage.point.name === 'while-a-question-is-open');
  for (const { task } of asking) await eventOf(task, decisionOpened());
  const standing = played.filter((one) => !asking.includes(one));
  await until('all stand at their points', () => standing.every(({ stage }) => stage.isReached()));
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);
  for (const { task } of asking) await task.decide({ decisionId: 'add-1', option: 'answer', value: 'yes' });
  for (const { stage, task } of played) {
    expect({ stage: stage.id, end: await endOf(task) }).toEqual({ stage: stage.id, end: 'completed' });
    await checkStage(stage, task, home);
  }
  await next.end('SIGTERM');
  for (const { task } of played) await replay(connected.temporal, task.workflowId);
}

const count = Number(process.env['HEDDLE_SEEDS'] ?? 1);
/** Two at once: a kill costs ten seconds of waiting for a heartbeat, and each worker its start. */
const pairs = Array.from({ length: Math.ceil(count / 2) }, (_, n) =>
  [2 * n + 1, 2 * n + 2].filter((seed) => seed <= count).map(String),
);

for (const seeds of pairs)
  test(`workers killed at each point, seeds ${seeds.join(' and ')}`, () => killAt(seeds), 180_000);
