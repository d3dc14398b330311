// The metrics of a worker as Prometheus reads them over loopback, and the lines of its log.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { parseMetricsAddress } from '../../../workers/settings/metrics-address.ts';
import { freePort } from '../../../workers/server/free-port.ts';
import { Cli, until } from '../../support/cli.ts';
import { decisionOpened, endOf, eventOf, shellPlan } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';

let client: HeddleClient;
const queue = `metrics-${process.pid}`;
beforeAll(async () => {
  const { temporal } = await HeddleClient.connect({ address: inject('temporalAddress') });
  client = new HeddleClient(temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
});
afterAll(() => client.close());

interface Line {
  msg: string;
  task?: string;
  subtask?: string;
  attempt?: number;
  event?: string;
  level: number;
}

describe('a worker with metrics', () => {
  test('counts attempts, recoveries, questions, tasks and calls of models, also refused ones, and logs each event and call once with what it is about', async () => {
    const folder = testFolder();
    const [workspace, walked] = [join(folder, 'workspace'), join(folder, 'walked')];
    for (const made of [workspace, walked]) mkdirSync(made);
    const { url } = await serveScript([
      { status: 429, text: 'slow down' },
      { ...calls(['narrate', { text: 'a step' }]), usage: { input: 100, output: 20, cached: 60 } },
      { ...finishes('done'), usage: { input: 50, output: 10 } },
    ]);
    writeModels(walked, url);
    const address = `127.0.0.1:${await freePort()}`;
    const env = {
      HEDDLE_TASK_QUEUE: queue,
      HEDDLE_HOST: 'metered',
      HEDDLE_HOME: join(folder, 'home'),
      SECRET: 'hunter2',
    };
    const worker = await startWorkerProcess(env, '--metrics', address);
    const scrape = async (): Promise<string> => (await fetch(`http://${address}/metrics`)).text();
    /** The sum of all lines with these labels; `undefined` where there is none. */
    const valueOf = async (name: string, ...wanted: string[]): Promise<number | undefined> => {
      const lines = (await scrape())
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)));
      if (lines.length === 0) return undefined;
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const fails = '[ $HEDDLE_ATTEMPT = 1 ] && { echo "the pump broke" >&2; exit 1; }; echo "$SECRET"';
    const asks = '[ $HEDDLE_ATTEMPT = 1 ] && exit 77; echo done';
    const plan = shellPlan(
      { recovers: { sh: fails, verify: ['true'] }, asks: { sh: asks } },
      { workspace, project: queue },
    );
    for (const subtask of plan.subtasks) Object.assign(subtask.executor ?? {}, { env: ['SECRET'] });
    const subtasks = [{ id: 'walk', description: 'Take a step' }];
    const walk = vouched({ goal: 'Walk', workspace: walked, executor: 'agent' as const, subtasks });
    const agents = `${queue}-agents`;
    const [task, agent] = await Promise.all([client.start(plan, { id: queue }), client.start(walk, { id: agents })]);
    await eventOf(task, decisionOpened());
    await until('nothing runs', async () => (await task.status()).state === 'waiting');
    const counted = async (): Promise<unknown[]> => [
      await valueOf('heddle_decisions_open', 'kind="escalation"'),
      await valueOf('heddle_tasks', 'state="waiting"'),
    ];
    await until('the question is counted', async () => (await counted()).every((count) => count === 1));
    expect(await valueOf('heddle_tasks', 'state="paused"')).toBe(0);
    await task.decide({ decisionId: 'asks-1', option: 'retry' });
    expect(await Promise.all([endOf(task), endOf(agent)])).toEqual(['completed', 'completed']);
    await until(
      'the ends are counted',
      async () => (await valueOf('heddle_tasks_ended_total', 'state="completed"')) === 2,
    );
    expect(await valueOf('heddle_attempts_total', 'outcome="passed"')).toBe(1);
    expect(await valueOf('heddle_attempts_total', 'outcome="unchecked"')).toBe(2);
    expect(await valueOf('heddle_attempts_total', 'outcome="failed"')).toBe(2);
    expect(await valueOf('heddle_recoveries_total', 'rung="2"')).toBe(1);
    expect(await valueOf('heddle_decisions_opened_total', 'kind="escalation"')).toBe(1);
    expect(await scrape()).toContain('temporal_workflow_completed');

    const ours = ['role="executor"', 'model="tier1"'];
    expect(await valueOf('heddle_model_calls_total', ...ours, 'outcome="rate-limited"')).toBe(1);
    expect(await valueOf('heddle_model_calls_total', ...ours, 'outcome="ok"')).toBe(2);
    expect(await valueOf('heddle_model_tokens_total', ...ours, 'kind="in"')).toBe(90);
    expect(await valueOf('heddle_model_tokens_total', ...ours, 'kind="cached"')).toBe(60);
    expect(await valueOf('heddle_model_tokens_total', ...ours, 'kind="out"')).toBe(30);
    expect(await valueOf('heddle_model_cost_microusd_total', ...ours)).toBe(300);
    expect(await valueOf('heddle_model_latency_seconds_count', ...ours)).toBe(3);
    expect(await valueOf('heddle_model_latency_seconds_bucket', ...ours, 'le="600"', 'outcome="ok"')).toBe(2);

    await until('the ends are logged', () => worker.stderr().split('"task.ended"').length === 3);
    const lines = worker
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
    const events = await task.events();
    const ofTask = lines.filter(({ task: id, event }) => id === queue && event !== undefined);
    expect(ofTask.map(({ event, msg }) => [event, msg])).toEqual(events.map(({ type, text }) => [type, text]));
    const ofAttempts = ofTask.filter(({ event }) => event?.startsWith('attempt.'));
    expect(ofAttempts.length).toBeGreaterThan(5);
    for (const line of ofAttempts) {
      expect(['recovers', 'asks']).toContain(line.subtask);
      expect([1, 2]).toContain(line.attempt);
    }
    const about = { task: agents, subtask: 'walk', attempt: 1, role: 'executor', model: 'tier1' };
    expect(lines.filter((line) => 'role' in line)).toMatchObject([
      { ...about, level: 40, turn: 1, outcome: 'rate-limited' },
      { ...about, level: 30, turn: 1, outcome: 'ok', tokens: { input: 100, output: 20, cached: 60 }, costUsd: 0.0002 },
      { ...about, level: 30, turn: 2, outcome: 'ok' },
    ]);
    for (const secret of ['hunter2', 'Take a step']) expect(worker.stderr()).not.toContain(secret);
    expect((await agent.report()).models).toMatchObject([{ model: 'tier1', role: 'executor', calls: 2, tokens: 180 }]);
  }, 120_000);

  test('that is given a taken address says so and ends', async () => {
    const folder = testFolder();
    const port = Number(inject('temporalAddress').split(':')[1]);
    const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_HOME: join(folder, 'home') });
    const { code, stderr } = await cli.run('worker', '--metrics', `127.0.0.1:${port}`, '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'METRICS_ADDRESS_TAKEN' } });
  });
});

test('an address is an IP address and a port', () => {
  expect(parseMetricsAddress('127.0.0.1:9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(parseMetricsAddress('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
  expect(parseMetricsAddress('localhost:9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  for (const text of ['9464', ':9464', 'example.org:9464', '127.0.0.1:0', '127.0.0.1:70000', '']) {
    expect(() => parseMetricsAddress(text)).toThrow(/not an address for metrics/);
  }
});
