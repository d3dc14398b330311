// The server of a home over its whole life: kept alive, taken over from the dead, started once by many.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, test, onTestFinished } from 'vitest';
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
  const progress: string[] = [];
  const server = await superviseServer({ ...made, ...more, log: (text) => progress.push(text) });
  onTestFinished(() => server.stop());
  return { server, progress };
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

test('tells people the address of the guard, never that of the Web UI; brings a killed server back on the same port, with its workflows, for the same client; stops while a restart is under way; the next starts use the same ports, or others when somebody has them', async () => {
  const made = makeHome();
  const { server, progress } = await supervise(made);
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
  const connection = await connect(server.address);
  expect(await readSearchAttributes(connection, 'default')).toMatchObject({ missing: [], wrongType: [] });
  expect(server.namespace).toBe('default');

  const client = new Client({ connection });
  await client.workflow.start('task', { workflowId: 'task-1', taskQueue: 'nobody' });
  const pid = server.serverPid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => server.serverPid(), { timeout: 20_000, interval: 20 }).not.toBe(pid);
  expect((await client.workflow.getHandle('task-1').describe()).status.name).toBe('RUNNING');
  expect(progress.filter((line) => line.includes('is running again'))).toHaveLength(1);
  expect((await fetch(server.webUi)).status).toBe(200);

  const killed = server.serverPid();
  process.kill(killed, 'SIGKILL');
  // It is started a second time.
  await expect.poll(() => readServerRecord(made.home)?.server?.pid, { interval: 5 }).not.toBe(killed);
  const started = readServerRecord(made.home)?.server;
  await server.stop();
  // Nothing is left behind.
  expect(started === undefined || !isAlive(started)).toBe(true);
  const left = readServerRecord(made.home)!;
  expect(left).not.toHaveProperty('server');

  // The pid of the former server may be a stranger's now, who is left alone.
  const stranger = startStranger();
  writeServerRecord(made.home, { ...left, server: { pid: stranger.pid, startTime: `${stranger.startTime}0` } });
  const second = await supervise(made);
  expect(second.progress).toEqual([]);
  expect(readIdentity(stranger.pid)).toBeDefined();
  expect(second.server.address).toBe(server.address);
  expect(second.server.webUi).toBe(server.webUi);
  expect((await client.workflow.getHandle('task-1').describe()).status.name).toBe('RUNNING');
  const last = second.server.serverPid();
  await second.server.stop();
  expect(readIdentity(last)).toBeUndefined();

  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(left.port, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const third = await supervise(made);
  expect(third.server.address).not.toBe(server.address);
  expect(third.server.webUi).toBe(server.webUi);
});

test('runs one server when two services start at once; when the first was killed another can follow, which ends its server first', async () => {
  const made = makeHome();
  await temporalPath();
  endRecorded(made);
  const start = (): Helper => startHelper('server/support-supervisor.ts', [], made.env);
  const helpers = [start(), start()];
  const answers = await Promise.all(helpers.map(firstLine));
  const winner = answers.findIndex((answer) => answer.busy !== true);
  expect(answers.filter((answer) => answer.busy === true)).toHaveLength(1);
  const left = answers[winner]!;
  const orphan = readIdentity(left.serverPid)!;
  const client = new Client({ connection: await connect(left.address) });
  await client.workflow.start('task', { workflowId: 'task-1', taskQueue: 'nobody' });
  helpers[winner]!.child.kill('SIGKILL');
  await helpers[winner]!.exited;
  expect(isAlive(orphan)).toBe(true);

  const { server, progress } = await supervise(made);
  expect(isAlive(orphan)).toBe(false);
  expect(progress[0]).toContain(`process ${left.serverPid}`);
  expect(server.address).toBe(left.address);
  expect((await client.workflow.getHandle('task-1').describe()).status.name).toBe('RUNNING');
});

test('ends a server on its database that is on no record, as the kill came before it; a record that cannot be read is no obstacle; gives up on a server that cannot be started again, and says so', async () => {
  const made = makeHome();
  const real = await temporalPath();
  const orphan = await startDevServer({
    temporalPath: real,
    dbFile: join(made.home.data, 'temporal.db'),
    logFile: join(made.home.logs, 'temporal.log'),
    headless: true,
  });
  onTestFinished(() => orphan.stop());
  mkdirSync(made.home.run, { recursive: true });
  writeFileSync(join(made.home.run, 'server.json'), '{"port": "no');
  const breakable = writeProgram(
    join(made.home.cache, 'breakable'),
    `test -e '${made.home.run}/broken' && case "$*" in *--ip*) echo 'Error: disk on fire' >&2; exit 1;; esac; exec '${real}' "$@"`,
  );
  const env = { ...made.env, TEMPORAL_CLI_PATH: breakable };
  const restart = { tries: 3, first: 50, factor: 2, most: 100 };
  const { server, progress } = await supervise({ ...made, env }, { restart });
  expect(isAlive(orphan.identity)).toBe(false);
  await connect(server.address);

  writeFileSync(join(made.home.run, 'broken'), '');
  process.kill(server.serverPid(), 'SIGKILL');
  const failure = await server.gaveUp;
  expect(failure.code).toBe('TEMPORAL_SERVER_FAILED');
  expect(progress.filter((line) => line.includes('disk on fire'))).toHaveLength(3);
  expect(readFileSync(join(made.home.logs, 'temporal.log'), 'utf8')).toContain('disk on fire');
});
