// The server of a home over its whole life: kept alive, taken over from the dead, started once by many.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive, type ProcessIdentity, readIdentity } from '../../../activities/programs/process-identity.ts';
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

/** A process that is not ours. */
function startStranger(): ProcessIdentity {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  return readIdentity(stranger.pid!)!;
}

it('tells people the address of the guard, never that of the Web UI; brings a killed server back on the same port, with its workflows, for the same client; stops while a restart is under way', async () => {
  const made = makeHome();
  const { server, said } = await supervise(made);
  // Neither address is the one that everybody guesses.
  const { uiHost, uiPort, guardHost, guardPort } = readServerRecord(made.home)!;
  expect(server.webUi).toBe(`http://${guardHost}:${guardPort}`);
  expect(uiHost).not.toBe(guardHost);
  const places = listeners(server.serverPid());
  expect(places).toContainEqual({ host: uiHost, port: uiPort });
  expect(new Set(places.map(({ host }) => host))).toEqual(new Set(['127.0.0.1', uiHost]));
  expect([uiHost, guardHost]).not.toContain('127.0.0.1');
  const guard = { host: guardHost, port: guardPort };
  expect(await ask(guard, { method: 'GET', path: '/', headers: { host: 'evil.test' } })).toBe(403);

  const client = new Client({ connection: await connect(server.address) });
  for (let round = 1; round <= 2; round++) {
    await client.workflow.start('task', { workflowId: `task-${round}`, taskQueue: 'nobody' });
    const pid = server.serverPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => server.serverPid(), { timeout: 20_000, interval: 20 }).not.toBe(pid);
    for (let n = 1; n <= round; n++) {
      expect((await client.workflow.getHandle(`task-${n}`).describe()).status.name).toBe('RUNNING');
    }
  }
  expect(said.filter((line) => line.includes('is running again'))).toHaveLength(2);
  expect((await fetch(server.webUi)).status).toBe(200);

  const killed = server.serverPid();
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => readServerRecord(made.home)?.server?.pid, { interval: 5 }).not.toBe(killed);
  const started = readServerRecord(made.home)?.server;
  await server.stop();
  // Nothing is left behind.
  expect(started === undefined || !isAlive(started)).toBe(true);
  expect(readServerRecord(made.home)).not.toHaveProperty('server');
});

it('prepares the namespace, and uses the same ports at the next start, or others when somebody has them; a record that cannot be read is no obstacle', async () => {
  const made = makeHome();
  const first = await supervise(made);
  const report = await readSearchAttributes(await connect(first.server.address), 'default');
  expect(report).toMatchObject({ missing: [], wrongType: [] });
  expect(first.server.namespace).toBe('default');
  const pid = first.server.serverPid();
  await first.server.stop();
  expect(readIdentity(pid)).toBeUndefined();
  const left = readServerRecord(made.home)!;
  expect(left).not.toHaveProperty('server');

  // The pid of the former server may be a stranger's now, who is left alone.
  const stranger = startStranger();
  writeServerRecord(made.home, { ...left, server: { pid: stranger.pid, startTime: `${stranger.startTime}0` } });
  const second = await supervise(made);
  expect(second.said).toEqual([]);
  expect(readIdentity(stranger.pid)).toBeDefined();
  expect(second.server.address).toBe(first.server.address);
  expect(second.server.webUi).toBe(first.server.webUi);
  await second.server.stop();

  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(left.port, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const third = await supervise(made);
  expect(third.server.address).not.toBe(first.server.address);
  expect(third.server.webUi).toBe(first.server.webUi);
  await third.server.stop();
  writeFileSync(join(made.home.run, 'server.json'), '{"port": "no');
  const fourth = await supervise(made);
  await connect(fourth.server.address);
});

it('runs one server when two services start at once; another can follow when the first has drained, or was killed: its server is ended first', async () => {
  const made = makeHome();
  await temporalPath();
  endRecorded(made);
  const start = (): Helper => startHelper('server/support-supervisor.ts', [], made.env);
  const helpers = [start(), start()];
  const answers = await Promise.all(helpers.map(firstLine));
  const winner = answers.findIndex((answer) => answer.busy !== true);
  expect(answers.filter((answer) => answer.busy === true)).toHaveLength(1);
  const drained = readIdentity(answers[winner]!.serverPid)!;
  helpers[winner]!.child.kill('SIGTERM');
  expect(await helpers[winner]!.exited).toBe(0);
  expect(isAlive(drained)).toBe(false);

  const next = start();
  const left = await firstLine(next);
  expect(left.address).toBe(answers[winner]!.address);
  const orphan = readIdentity(left.serverPid)!;
  const client = new Client({ connection: await connect(left.address) });
  await client.workflow.start('task', { workflowId: 'task-1', taskQueue: 'nobody' });
  next.child.kill('SIGKILL');
  await next.exited;
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
