// The server of a home over its whole life: kept alive, taken over from the dead, started once by many.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive, readIdentity } from '../../../activities/programs/process-identity.ts';
import { readSearchAttributes } from '../../../workers/server/register-search-attributes.ts';
import { readServerRecord, writeServerRecord } from '../../../workers/server/server-record.ts';
import { startDevServer } from '../../../workers/server/dev-server.ts';
import { type SuperviseOptions, superviseServer } from '../../../workers/server/supervise-server.ts';
import { ask, listeners } from '../support-http.ts';
import { type Helper, makeHome, startHelper, temporalPath, writeProgram } from '../support-server.ts';

interface Answer {
  busy?: boolean;
  address: string;
  webUi: string;
  serverPid: number;
}

async function supervise(made: ReturnType<typeof makeHome>, more: Pick<SuperviseOptions, 'restart'> = {}) {
  await temporalPath();
  const said: string[] = [];
  const server = await superviseServer({ ...made, ...more, log: (text) => said.push(text) });
  onTestFinished(() => server.stop());
  return { server, said };
}

async function connect(address: string): Promise<Connection> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return connection;
}

async function firstLine(helper: Helper): Promise<Answer> {
  return JSON.parse(await helper.line()) as Answer;
}

/** Ends whatever server the record of the home names when the test ends. */
function endRecorded(made: ReturnType<typeof makeHome>): void {
  onTestFinished(() => {
    const left = readServerRecord(made.home)?.server;
    if (left !== undefined && isAlive(left)) process.kill(left.pid, 'SIGKILL');
  });
}

it('brings a killed server back on the same port within seconds, with its workflows, for the same client', async () => {
  const made = makeHome();
  const { server, said } = await supervise(made);
  const client = new Client({ connection: await connect(server.address) });
  for (let round = 1; round <= 2; round++) {
    await client.workflow.start('task', { workflowId: `task-${round}`, taskQueue: 'nobody' });
    const pid = server.serverPid();
    const killedAt = Date.now();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => server.serverPid(), { timeout: 20_000, interval: 20 }).not.toBe(pid);
    expect(Date.now() - killedAt).toBeLessThan(15_000);
    for (let n = 1; n <= round; n++) {
      expect((await client.workflow.getHandle(`task-${n}`).describe()).status.name).toBe('RUNNING');
    }
  }
  expect(said.filter((line) => line.includes('is running again'))).toHaveLength(2);
  expect((await fetch(server.webUi)).status).toBe(200);
});

it('prepares the namespace, and uses the same ports and data at the next start', async () => {
  const made = makeHome();
  const first = await supervise(made);
  const report = await readSearchAttributes(await connect(first.server.address), 'default');
  expect(report).toMatchObject({ missing: [], wrongType: [] });
  expect(first.server.namespace).toBe('default');
  const pid = first.server.serverPid();
  await first.server.stop();
  expect(readIdentity(pid)).toBeUndefined();
  expect(readServerRecord(made.home)).not.toHaveProperty('server');

  const second = await supervise(made);
  expect(second.server.address).toBe(first.server.address);
  expect(second.server.webUi).toBe(first.server.webUi);
});

it('tells people the address of the guard, never that of the Web UI, and neither is the one that everybody guesses', async () => {
  const made = makeHome();
  const { server } = await supervise(made);
  const { uiHost, uiPort, guardHost, guardPort } = readServerRecord(made.home)!;
  expect(server.webUi).toBe(`http://${guardHost}:${guardPort}`);
  expect(uiHost).not.toBe(guardHost);
  const places = listeners(server.serverPid());
  expect(places).toContainEqual({ host: uiHost, port: uiPort });
  expect(new Set(places.map(({ host }) => host))).toEqual(new Set(['127.0.0.1', uiHost]));
  expect([uiHost, guardHost]).not.toContain('127.0.0.1');
  expect(
    await ask({ host: guardHost, port: guardPort }, { method: 'GET', path: '/', headers: { host: 'evil.test' } }),
  ).toBe(403);
});

it('takes other ports when somebody has the former ones, and a record that cannot be read is no obstacle', async () => {
  const made = makeHome();
  const first = await supervise(made);
  await first.server.stop();
  const { port } = readServerRecord(made.home)!;
  const stranger = createServer();
  await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void stranger.close());
  const second = await supervise(made);
  expect(second.server.address).not.toBe(first.server.address);
  expect(second.server.webUi).toBe(first.server.webUi);
  await second.server.stop();
  writeFileSync(join(made.home.run, 'server.json'), '{"port": "no');
  const third = await supervise(made);
  await connect(third.server.address);
});

it('ends the server of a killed supervisor before it starts its own', async () => {
  const made = makeHome();
  await temporalPath();
  endRecorded(made);
  const dead = startHelper('server/support-supervisor.ts', [], made.env);
  const left = await firstLine(dead);
  const orphan = readIdentity(left.serverPid)!;
  const client = new Client({ connection: await connect(left.address) });
  await client.workflow.start('task', { workflowId: 'task-1', taskQueue: 'nobody' });
  dead.child.kill('SIGKILL');
  await dead.exited;
  expect(isAlive(orphan)).toBe(true);

  const { server, said } = await supervise(made);
  expect(isAlive(orphan)).toBe(false);
  expect(said[0]).toContain(`process ${left.serverPid}`);
  expect(server.address).toBe(left.address);
  expect((await client.workflow.getHandle('task-1').describe()).status.name).toBe('RUNNING');
});

it('ends a server on its database that is on no record: the kill came before the record', async () => {
  const made = makeHome();
  const orphan = await startDevServer({
    temporalPath: await temporalPath(),
    dbFile: join(made.home.data, 'temporal.db'),
    logFile: join(made.home.logs, 'temporal.log'),
    headless: true,
  });
  onTestFinished(() => orphan.stop());
  await supervise(made);
  expect(isAlive(orphan.identity)).toBe(false);
});

it('leaves a stranger alone that has the pid of the former server', async () => {
  const made = makeHome();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const { pid, startTime } = readIdentity(stranger.pid!)!;
  const places = { port: 20_001, uiHost: '127.0.0.1', uiPort: 20_002, guardHost: '127.0.0.1', guardPort: 20_003 };
  writeServerRecord(made.home, { ...places, server: { pid, startTime: `${startTime}0` } });
  const { said } = await supervise(made);
  expect(said).toEqual([]);
  expect(readIdentity(pid)).toBeDefined();
});

it('runs one server when two services start at once, and the second can follow when the first has drained', async () => {
  const made = makeHome();
  await temporalPath();
  endRecorded(made);
  const helpers = [1, 2].map(() => startHelper('server/support-supervisor.ts', [], made.env));
  const answers = await Promise.all(helpers.map(firstLine));
  const winner = answers.findIndex((answer) => answer.busy !== true);
  expect(answers.filter((answer) => answer.busy === true)).toHaveLength(1);
  const server = readIdentity(answers[winner]!.serverPid)!;
  helpers[winner]!.child.kill('SIGTERM');
  expect(await helpers[winner]!.exited).toBe(0);
  expect(isAlive(server)).toBe(false);

  const next = startHelper('server/support-supervisor.ts', [], made.env);
  expect((await firstLine(next)).address).toBe(answers[winner]!.address);
  next.child.kill('SIGTERM');
  expect(await next.exited).toBe(0);
});

it('gives up on a server that cannot be started again, and says so', async () => {
  const made = makeHome();
  const real = await temporalPath();
  const breakable = writeProgram(
    join(made.home.cache, 'breakable'),
    `test -e '${made.home.run}/broken' && case "$*" in *--ip*) echo 'Error: disk on fire' >&2; exit 1;; esac; exec '${real}' "$@"`,
  );
  const env = { ...made.env, TEMPORAL_CLI_PATH: breakable };
  const restart = { tries: 3, first: 50, factor: 2, most: 100 };
  const { server, said } = await supervise({ ...made, env }, { restart });
  writeFileSync(join(made.home.run, 'broken'), '');
  process.kill(server.serverPid(), 'SIGKILL');
  const failure = await server.gaveUp;
  expect(failure.code).toBe('TEMPORAL_SERVER_FAILED');
  expect(said.filter((line) => line.includes('disk on fire'))).toHaveLength(3);
  expect(readFileSync(join(made.home.logs, 'temporal.log'), 'utf8')).toContain('disk on fire');
});

it('stops while a restart is under way, and leaves no server behind', async () => {
  const made = makeHome();
  const { server } = await supervise(made);
  const killed = server.serverPid();
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => readServerRecord(made.home)?.server?.pid, { interval: 5 }).not.toBe(killed);
  const started = readServerRecord(made.home)?.server;
  await server.stop();
  expect(started === undefined || !isAlive(started)).toBe(true);
  expect(readServerRecord(made.home)).not.toHaveProperty('server');
});
