// The topology of docker-compose.yml on this machine: a real Temporal server on PostgreSQL and two workers that share a home.
// `npm run test:fleet`; not part of `npm test`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TaskHandle } from '../../client/index.ts';
import { readIdentity } from '../../activities/programs/process-identity.ts';
import { until } from '../support/cli.ts';
import { linesOf, shellPlan } from '../support/rig.ts';
import { startFleet, type Fleet } from './fleet.ts';
import type { Keeper } from './keeper.ts';

let fleet: Fleet;
let isUp = false;
beforeAll(async () => {
  fleet = await startFleet(console.log);
  isUp = true;
}, 20 * 60_000);
afterAll(async () => {
  if (isUp) await fleet.stop();
}, 120_000);

const steps = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const tasksInAll = 20;
const runsLog = (): string => join(fleet.folder, 'runs.log');

function chain(workspace: string) {
  const sh = `echo "$HEDDLE_IDEMPOTENCY_KEY" >> ${runsLog()}; sleep 2; echo done`;
  return shellPlan(
    Object.fromEntries(steps.map((id, n) => [id, { sh, dependsOn: steps.slice(Math.max(0, n - 1), n) }])),
    { workspace, goal: 'survive', project: 'fleet' },
  );
}

/** Kills it in the middle of the work, waits until all answer again and work goes on. */
async function killAmidWork(keeper: Keeper): Promise<void> {
  const { pid } = keeper;
  const inAll = tasksInAll * steps.length;
  expect(linesOf(runsLog()).length).toBeLessThan(inAll);
  await keeper.killHard();
  expect(pid === undefined ? undefined : readIdentity(pid)).toBeUndefined();
  await until('all parts answer again', () => fleet.answers(), 120_000);
  const before = linesOf(runsLog()).length;
  await until('work goes on', () => linesOf(runsLog()).length >= Math.min(before + 10, inAll), 120_000);
}

test('both workers are healthy as compose sees it', async () => {
  await until('the health checks are green', () => fleet.workersAreHealthy(), 60_000);
}, 90_000);

test(
  'kill -9 of PostgreSQL, of the Temporal server and of a worker in turn during 20 tasks: 20 complete, and nothing ran twice but reported reruns',
  async () => {
    const tasks: TaskHandle[] = [];
    for (let n = 1; n <= tasksInAll; n += 1) {
      const workspace = join(fleet.folder, `workspace-${n}`);
      mkdirSync(workspace);
      tasks.push(await fleet.client.start(chain(workspace), { id: `fleet-${n}` }));
    }
    await until('the tasks run', () => linesOf(runsLog()).length >= tasksInAll, 60_000);
    for (const keeper of [fleet.postgres, fleet.temporal, fleet.workers[0]]) {
      if (keeper !== undefined) await killAmidWork(keeper);
    }
    const ended = await Promise.all(tasks.map((task) => task.result()));
    expect(ended.map(({ state }) => state)).toEqual(tasks.map(() => 'completed'));

    const runs = new Map<string, number>();
    for (const key of linesOf(runsLog())) runs.set(key, (runs.get(key) ?? 0) + 1);
    expect([...runs.keys()].sort()).toEqual(tasks.flatMap(({ id }) => steps.map((step) => `${id}/${step}/1`)).sort());
    let reruns = 0;
    for (const task of tasks) {
      const told = (await task.events()).flatMap((event) => (event.type === 'attempt.rerun' ? [event.subtask] : []));
      for (const record of await task.attempts()) {
        const extra = (runs.get(`${task.id}/${record.subtask}/1`) ?? 0) - 1;
        expect(extra, `${task.id}/${record.subtask}`).toBeLessThanOrEqual(record.reruns);
        if (extra > 0) expect(told).toContain(record.subtask);
        reruns += record.reruns;
      }
    }
    console.log(`20 tasks, ${linesOf(runsLog()).length} runs of ${runs.size} programs, ${reruns} reported reruns`);
  },
  10 * 60_000,
);

test('a worker that is stopped hands its running attempts to the other one, which shares its home', async () => {
  const workspace = join(fleet.folder, 'workspace-hand-over');
  mkdirSync(workspace);
  const sh = 'echo "$PPID" >> owners; [ -e again ] && { echo done; exit; }; touch again; sleep 600';
  const task = await fleet.client.start(shellPlan({ long: { sh } }, { workspace }), { id: 'hand-over' });
  await until('the program runs', () => linesOf(join(workspace, 'owners')).length === 1, 60_000);
  const owner = fleet.workers.find(({ pid }) => String(pid) === linesOf(join(workspace, 'owners'))[0]);
  expect(owner).toBeDefined();
  const started = Date.now();
  await owner?.stop();
  // Grace for attempts that end by themselves, then it is handed over.
  expect(Date.now() - started).toBeLessThan(45_000);
  await task.result();
  const owners = linesOf(join(workspace, 'owners'));
  expect(owners).toHaveLength(2);
  expect(owners[1]).not.toBe(owners[0]);
  expect((await task.attempts()).map(({ attempt, reruns }) => [attempt, reruns])).toEqual([[1, 1]]);
}, 180_000);
