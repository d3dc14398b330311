// The Temporal dev server, for real: its settings, its search attributes, its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { expect, test, onTestFinished } from 'vitest';
import { isAlive } from '../../../activities/programs/process-identity.ts';
import { searchAttributes } from '../../../domain/names/search-attributes.ts';
import { type DevServerOptions, startDevServer } from '../../../workers/server/dev-server.ts';
import { freePort, isPortFree } from '../../../workers/server/free-port.ts';
import {
  readSearchAttributes,
  registerSearchAttributes,
  setRetention,
} from '../../../workers/server/register-search-attributes.ts';
import { ask, listeners, type Place, startOf } from '../support-http.ts';
import { makeTempFolder, temporalPath, writeProgram } from '../support-server.ts';

async function start(folder: string, options: Partial<DevServerOptions> = {}) {
  const server = await startDevServer({
    temporalPath: await temporalPath(),
    dbFile: join(folder, 'data', 'temporal.db'),
    logFile: join(folder, 'logs', 'temporal.log'),
    ...options,
  });
  onTestFinished(() => server.stop());
  return server;
}

async function connect(address: string): Promise<Connection> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return connection;
}

/** A namespace that was not there when the server started: the search attributes are given to its first only. */
async function addNamespace(connection: Connection): Promise<string> {
  const namespace = 'other';
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const isThere = () => readSearchAttributes(connection, namespace).then(Boolean, () => false);
  await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
  return namespace;
}

/** The one of its ports that says 403 to a question for the namespaces. */
async function httpApiOf(server: { pid: number }): Promise<Place> {
  for (const place of listeners(server.pid)) {
    const status = await ask(place, { method: 'GET', path: '/api/v1/namespaces' }).catch(() => undefined);
    if (status === 403) return place;
  }
  throw new Error('no port of the server is a closed HTTP API');
}

function holdPort(port: number): Promise<void> {
  const holder = createServer();
  onTestFinished(() => void holder.close());
  return new Promise((resolve) => holder.listen(port, '127.0.0.1', resolve));
}

const keys = {
  state: defineSearchAttributeKey('HeddleState', searchAttributes.HeddleState),
  project: defineSearchAttributeKey('HeddleProject', searchAttributes.HeddleProject),
  waitingOn: defineSearchAttributeKey('HeddleWaitingOn', searchAttributes.HeddleWaitingOn),
  costUsd: defineSearchAttributeKey('HeddleCostUsd', searchAttributes.HeddleCostUsd),
};

test('starts with the settings that make it fast and durable, listens on loopback only, and leaves the terminal; the next one keeps its workflows and search attributes, and takes those of another namespace and a retention', async () => {
  const folder = makeTempFolder();
  const server = await start(folder);
  const args = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0').join(' ');
  for (const setting of [
    '--ip 127.0.0.1',
    '--ui-ip 127.0.0.1',
    '--dynamic-config-value frontend.httpAllowedHosts=["closed by heddle"]',
    '--sqlite-pragma journal_mode=wal',
    '--sqlite-pragma synchronous=full',
    '--dynamic-config-value history.transferProcessorMaxPollRPS=10000',
    '--dynamic-config-value system.enableActivityEagerExecution=true',
    '--dynamic-config-value history.maxInFlightUpdates=100',
    '--dynamic-config-value system.forceSearchAttributesCacheRefreshOnRead=false',
    '--search-attribute HeddleWaitingOn=KeywordList',
    '--ui-disable-news-fetch',
  ]) {
    expect(args).toContain(setting);
  }
  expect(existsSync(join(folder, 'data', 'temporal.db-wal'))).toBe(true);
  expect(await ask({ host: server.uiHost, port: server.uiPort }, { method: 'GET', path: '/' })).toBe(200);
  // A standard forbids this port to every browser; this client obeys it too.
  await expect(fetch(server.webUi!)).rejects.toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: 'bad port' }) as object }),
  );
  // Its own process group: Ctrl-C in a terminal goes to the group in front.
  expect(Number(readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[2])).toBe(server.pid);
  const secrets = readFileSync(`/proc/${server.pid}/environ`, 'utf8')
    .split('\0')
    .map((entry) => entry.split('=')[0]);
  const expected = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];
  expect(secrets.filter((name) => name !== '' && !expected.includes(name!))).toEqual([]);
  const { workflow } = new Client({ connection: await connect(server.address) });
  await workflow.start('task', { workflowId: 'task-1', taskQueue: 'nobody' });
  await server.stop();
  expect(isAlive(server.identity)).toBe(false);
  expect(await server.exited).toEqual({ code: 0, signal: null });

  const second = await start(folder, { headless: true });
  expect(second.webUi).toBeUndefined();
  const connection = await connect(second.address);
  const names = Object.keys(searchAttributes);
  const registered = { registered: names, wrongType: [], missing: [] };
  expect(await readSearchAttributes(connection, 'default')).toEqual(registered);
  const other = await addNamespace(connection);
  expect(await readSearchAttributes(connection, other)).toEqual({ registered: [], wrongType: [], missing: names });
  expect(await registerSearchAttributes(connection, other)).toEqual(registered);
  expect(await registerSearchAttributes(connection, other)).toEqual(registered);

  const client = new Client({ connection });
  expect((await client.workflow.getHandle('task-1').describe()).status.name).toBe('RUNNING');
  await client.workflow.start('task', {
    workflowId: 'task-2',
    taskQueue: 'nobody',
    typedSearchAttributes: [
      { key: keys.state, value: 'waiting' },
      { key: keys.project, value: 'website' },
      { key: keys.waitingOn, value: ['escalation', 'approval'] },
      { key: keys.costUsd, value: 1.25 },
    ],
  });
  const query =
    "HeddleState = 'waiting' AND HeddleWaitingOn = 'approval' AND HeddleCostUsd > 1 AND HeddleProject = 'website'";
  const readAttributes = async () => {
    const ids: string[] = [];
    for await (const one of client.workflow.list({ query })) ids.push(one.workflowId);
    return ids;
  };
  await expect.poll(readAttributes).toEqual(['task-2']);

  await setRetention(connection, 'default', 30);
  await setRetention(connection, 'default', 30);
  const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  expect(tsToMs(config?.workflowExecutionRetentionTtl)).toBe(30 * 24 * 60 * 60 * 1000);
});

test('has a closed HTTP API: no verb, no type of content, no origin and no host gets a request through; takes more dynamic settings; tells a search attribute of another type, which stays as it is', async () => {
  // Even settings from elsewhere do not open it.
  const dynamicConfig = { 'frontend.httpAllowedHosts': '["*"]', 'limit.maxIDLength': '20' };
  const server = await start(makeTempFolder(), { headless: true, dynamicConfig });
  const api = await httpApiOf(server);
  const starting = { path: '/api/v1/namespaces/default/workflows/evil', body: startOf('evil') };
  const paths = [
    starting,
    { path: '/namespaces/default/workflows/evil', body: starting.body },
    { path: '/api/v1/namespaces/default/schedules/evil', body: '{}' },
    { path: '/api/v1/namespaces', body: '' },
    { path: '/cluster', body: '' },
  ];
  const types = ['text/plain', 'application/json', 'application/x-www-form-urlencoded', undefined];
  const hosts = [undefined, 'localhost', 'evil.test', '*', 'closed', 'closed by heddle', '127.0.0.1'];
  for (const { path, body } of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      for (const type of types) {
        const headers = { origin: 'http://evil.test', ...(type === undefined ? {} : { 'content-type': type }) };
        expect([403, 501, 404], `${method} ${path} ${type}`).toContain(await ask(api, { method, path, headers, body }));
      }
    }
    for (const host of hosts) {
      const headers = host === undefined ? {} : { host };
      expect([400, 403, 404, 501], `${path} ${host}`).toContain(
        await ask(api, { method: 'POST', path, headers, body }),
      );
    }
  }
  expect(
    await ask(api, {
      method: 'POST',
      path: starting.path,
      headers: { 'content-type': 'text/plain' },
      body: starting.body,
    }),
  ).toBe(403);
  const connection = await connect(server.address);
  const client = new Client({ connection });
  await expect(client.workflow.getHandle('evil').describe()).rejects.toThrow('not found');
  const begun = client.workflow.start('task', { workflowId: 'task-'.repeat(5), taskQueue: 'nobody' });
  await expect(begun).rejects.toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 3 }) as object }),
  );

  const asInt = Object.fromEntries([['HeddleState', 3]]);
  const other = await addNamespace(connection);
  await connection.operatorService.addSearchAttributes({ namespace: other, searchAttributes: asInt });
  expect(await registerSearchAttributes(connection, other)).toEqual({
    registered: ['HeddleProject', 'HeddleWaitingOn', 'HeddleCostUsd'],
    wrongType: [{ name: 'HeddleState', is: 'Int', should: 'Keyword' }],
    missing: [],
  });
});

test('takes other ports when the wished ones are taken, unless it must keep them', async () => {
  const folder = makeTempFolder();
  const [port, uiPort] = [await freePort(), await freePort()];
  await holdPort(port);
  await expect(start(folder, { port, uiPort, keepPorts: true })).rejects.toThrow(
    expect.objectContaining({
      code: 'TEMPORAL_SERVER_FAILED',
      message: expect.stringContaining('already in use') as string,
    }),
  );
  const server = await start(folder, { port, uiPort });
  expect(server.port).not.toBe(port);
  expect(server.uiPort).toBe(uiPort);
  expect(await isPortFree(server.port)).toBe(false);
});

test('tries again when a port is taken between the choice and the start', async () => {
  const folder = makeTempFolder();
  const real = await temporalPath();
  // The first start fails as the real one does when another part of the server finds its port taken.
  const once = writeProgram(
    join(folder, 'temporal'),
    `case "$*" in *--help*) exec '${real}' "$@";; esac
test -e '${folder}/tried' && exec '${real}' "$@"
touch '${folder}/tried'; echo 'Error: listen tcp 127.0.0.1:9: bind: address already in use' >&2; exit 1`,
  );
  const spawned: number[] = [];
  const server = await start(folder, { temporalPath: once, headless: true, onSpawn: ({ port }) => spawned.push(port) });
  // A process that has ended at once may never have been seen.
  expect(existsSync(join(folder, 'tried'))).toBe(true);
  expect(server.port).toBe(spawned.at(-1));
});

test('says why the server did not start', async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, 'no.db'), 'this is not a database\n'.repeat(100));
  await expect(start(folder, { dbFile: join(folder, 'no.db') })).rejects.toThrow(
    expect.objectContaining({
      code: 'TEMPORAL_SERVER_FAILED',
      message: expect.stringMatching(/not a database/) as string,
      where: join(folder, 'logs', 'temporal.log'),
    }),
  );
  await expect(start(folder, { temporalPath: join(folder, 'nothing') })).rejects.toThrow('could not be started');
});

test('ends a start that is called off, with its process', async () => {
  const folder = makeTempFolder();
  const real = await temporalPath();
  const slow = writeProgram(
    join(folder, 'temporal'),
    `case "$*" in *--help*) exec '${real}' "$@";; esac; exec sleep 60`,
  );
  const off = new AbortController();
  const begun = start(folder, {
    temporalPath: slow,
    signal: off.signal,
    onSpawn: ({ identity }) => {
      expect(isAlive(identity)).toBe(true);
      onTestFinished(() => expect(isAlive(identity)).toBe(false));
      setTimeout(() => off.abort(), 50);
    },
  });
  await expect(begun).rejects.toThrow('aborted');
});
