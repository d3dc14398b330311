// Servers of tools as programs in the sandbox: good, broken and hostile ones.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listServers, reportServers } from '../../../activities/mcp/check-servers.ts';
import { ServerConnections } from '../../../activities/mcp/server-connections.ts';
import { findList, listTools, markStale } from '../../../activities/mcp/tool-lists.ts';
import { toOutcome } from '../../../activities/mcp/to-outcome.ts';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import type { ToolServer } from '../../../domain/types/basic/tool-server.ts';
import { makePlace, never, serverIn } from './support.ts';

type Place = Awaited<ReturnType<typeof makePlace>>;

const ask = (tool: string, args: Record<string, unknown> = {}, signal = never) => ({ tool, args, key: 'k/1', signal });

/** Connections that end with the test, and the text of a call. */
function connect(server: ToolServer, place: Place) {
  const connections = new ServerConnections([server], place);
  onTestFinished(() => connections.close());
  const textOf = async (tool: string, args?: Record<string, unknown>): Promise<string> =>
    toOutcome(await connections.call(server.name, ask(tool, args))).text;
  return { connections, textOf };
}

const processesOf = (place: Place): string =>
  execFileSync('sh', ['-c', `grep -lsa "HEDDLE_TEST=${place.folder}" /proc/[0-9]*/environ || true`]).toString();

test('a good server is listed once, called by one process, and gone afterwards', async () => {
  const place = await makePlace();
  const server = serverIn('good');
  const list = await listTools(server, place, { signal: never });
  expect(list.tools.find(({ name }) => name === 'look')).toEqual({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object', properties: {} },
    hints: { readOnly: true },
  });
  expect((await listTools(server, place, { signal: never })).at).toBe(list.at);
  const { connections, textOf } = connect(server, place);
  expect(await textOf('add', { line: 'x' })).toBe('added x');
  expect(readFileSync(join(place.workspace, 'ledger.txt'), 'utf8')).toBe('add x k/1\n');
  expect(await textOf('pid')).toBe(await textOf('pid'));
  expect(processesOf(place)).not.toBe('');
  await connections.close();
  expect(processesOf(place)).toBe('');
});

test.each([
  ['dead', 'it ended with 1: first line no database at localhost:1'],
  ['silent', 'it did not answer within 1.5 s'],
  ['endless', 'its list of tools could not be read: it has no end'],
])('a server that is %s says why', async (mode, why) => {
  const place = await makePlace();
  await expect(listTools(serverIn(mode, { start: 1_500 }), place, { signal: never })).rejects.toThrow(why);
  expect(processesOf(place)).toBe('');
});

test.each(['flood', 'noisy', 'wordy', 'twice', 'asks', 'changing', 'wrong-types', 'progress'])(
  'a server that is %s is used all the same',
  async (mode) => {
    const place = await makePlace();
    const server = serverIn(mode);
    expect((await listTools(server, place, { signal: never })).tools.length).toBeGreaterThan(10);
    const { textOf } = connect(server, place);
    for (let round = 0; round < 3; round += 1) expect(await textOf('look')).toBe('all is well');
  },
);

test('a message above 8 MB ends the server, and the next call opens another', async () => {
  const place = await makePlace();
  const { connections } = connect(serverIn('huge'), place);
  const begun = performance.now();
  for (let round = 0; round < 2; round += 1)
    await expect(connections.call('test', ask('look'))).rejects.toMatchObject({
      kind: 'lost',
      message: expect.stringContaining('it sent a message of more than 8') as unknown,
    });
  expect(performance.now() - begun).toBeLessThan(8_000);
});

test('progress without end holds no call above its time, and the server is ended', async () => {
  const place = await makePlace();
  const { connections } = connect(serverIn('progress', { timeout: 600 }), place);
  const steps: string[] = [];
  const hanging = connections.call('test', { ...ask('hang'), onProgress: (text) => steps.push(text) });
  await expect(hanging).rejects.toMatchObject({ kind: 'late', message: 'did not answer within 0.6 s' });
  expect(steps).toEqual(['step 1']);
  expect(processesOf(place)).toBe('');
});

test('a server that ends in a call says so, and the next call opens another', async () => {
  const place = await makePlace();
  const { connections, textOf } = connect(serverIn('good'), place);
  await expect(connections.call('test', ask('die'))).rejects.toMatchObject({
    kind: 'lost',
    message: expect.stringContaining('it ended with 3: I am dying') as unknown,
  });
  expect(await textOf('look')).toBe('all is well');
});

test('a call that is stopped ends its server', async () => {
  const place = await makePlace();
  const { connections } = connect(serverIn('good'), place);
  const stop = new AbortController();
  const hanging = connections.call('test', ask('hang', {}, stop.signal));
  setTimeout(() => stop.abort(), 500);
  await expect(hanging).rejects.toThrow('abort');
  expect(processesOf(place)).toBe('');
});

test('a call that is stopped before it is sent leaves no process behind', async () => {
  const place = await makePlace();
  const { connections, textOf } = connect(serverIn('good'), place);
  await textOf('look');
  const stop = new AbortController();
  const stopped = connections.call('test', ask('look', {}, stop.signal));
  stop.abort();
  await expect(stopped).rejects.toThrow('abort');
  await connections.close();
  expect(processesOf(place)).toBe('');
});

test('a server gets the variables that are named, and no others', async () => {
  const place = await makePlace({ SERVER_TOKEN: 'abc', OTHER: 'no' });
  const { textOf } = connect(serverIn('good', { env: ['SERVER_TOKEN', 'ABSENT?'] }), place);
  const names = (await textOf('variables')).split(' ');
  expect(names).toContain('SERVER_TOKEN');
  expect(names).not.toContain('OTHER');
  expect(names).not.toContain('ABSENT');
  const { connections } = connect(serverIn('good', { env: ['ABSENT'] }), place);
  await expect(connections.call('test', ask('look'))).rejects.toMatchObject({
    kind: 'unsent',
    message: 'could not be started: the variable ABSENT is not set',
  });
});

test('another value of a variable is another list, and another process', async () => {
  const server = serverIn('good', { env: ['SERVER_TOKEN'] });
  const [ana, ben] = [await makePlace({ SERVER_TOKEN: 'of ana' }), await makePlace({ SERVER_TOKEN: 'of ben' })];
  const shared = { ...ben, root: ana.root, workspace: ana.workspace };
  await listTools(server, ana, { signal: never });
  expect(await findList(server, ana)).toBeDefined();
  expect(await findList(server, shared)).toBeUndefined();
  const [one, other] = [connect(server, ana), connect(server, shared)];
  expect(await Promise.all([one.textOf('token'), other.textOf('token')])).toEqual(['token of ana', 'token of ben']);
});

test('a list that its server calls stale is made again, at most once in half a minute', async () => {
  const place = await makePlace();
  const server = serverIn('good');
  const list = await listTools(server, place, { signal: never });
  await markStale(server, place);
  expect((await listTools(server, place, { signal: never })).at).toBe(list.at);
  await markStale(server, place, () => list.at + 31_000);
  expect((await listTools(server, place, { signal: never })).at).toBeGreaterThan(list.at);
  const old = { signal: never, now: () => list.at + 11 * 60_000 };
  expect((await listTools(server, place, old)).at).toBe(list.at + 11 * 60_000);
});

const sandboxed = test.skipIf((await findSandbox()).kind === 'none');

sandboxed.each([
  ['write', 'written'],
  ['read', 'EROFS'],
  ['none', 'ENOENT'],
] as const)('with workspace = "%s" a server that lies changes nothing outside of its mounts', async (access, own) => {
  const place = await makePlace();
  const [hidden, shown] = [join(place.folder, 'hidden'), join(place.folder, 'shown')];
  for (const folder of [hidden, shown]) mkdirSync(folder);
  const server = serverIn('good', { workspace: access, read: [shown] });
  const { textOf } = connect(server, place);
  const paths = [...[hidden, shown, place.root, place.workspace].map((folder) => join(folder, 'lie')), '/tmp/home/lie'];
  expect(await textOf('lie', { paths })).toBe(`ENOENT EROFS ENOENT ${own} written`);
  expect([hidden, shown, place.root].flatMap((folder) => readdirSync(folder))).toEqual([]);
  expect(readdirSync(place.workspace)).toEqual(access === 'write' ? ['lie'] : []);
});

sandboxed('a home that is kept is there at the next start', async () => {
  const place = await makePlace();
  const server = serverIn('good', { workspace: 'none', home: true });
  const { connections, textOf } = connect(server, place);
  await textOf('add', { line: 'kept' });
  await connections.close();
  await connect(server, place).textOf('add', { line: 'more' });
  const path = execFileSync('find', [place.root, '-name', 'ledger.txt']).toString().trim();
  expect(readFileSync(path, 'utf8')).toBe('add kept k/1\nadd more k/1\n');
});

test('too many tools, too large schemas and a clash are told', async () => {
  const place = await makePlace();
  const names = (mode: string, given: Partial<ToolServer> = {}) => ({ ...serverIn(mode, given), name: mode });
  const servers = [names('many'), names('large-schemas'), names('clash'), names('wrong-types', { tools: ['look'] })];
  const { problems, warnings, tools } = reportServers(await listServers(servers, place, { signal: never }));
  expect(problems.map(({ code, message }) => [code, message.split(';')[0]])).toEqual([
    ['MCP_TOO_MANY_TOOLS', 'The server many has 70 tools'],
    ['MCP_TOO_MANY_TOOLS', expect.stringMatching(/^The tools of all servers take 6\d kB of every model request$/)],
  ]);
  expect(warnings).toEqual([
    '4 tools of the server wrong-types are dropped: they have no name, or take no object',
    'a_b of the server clash is dropped: the server clash has a tool mcp__clash__a_b too',
  ]);
  expect(tools.map(({ name }) => name)).toContain('mcp__wrong-types__look');
  expect(tools.filter(({ from }) => from.server === 'wrong-types')).toHaveLength(1);
});

test('a result with images, links and parts that nobody knows is told part by part', async () => {
  const place = await makePlace();
  const { connections } = connect(serverIn('good'), place);
  const outcome = toOutcome(await connections.call('test', ask('show')));
  expect(outcome).toMatchObject({ ok: true, image: { type: 'image/png', width: 1, height: 1 } });
  expect(outcome.text.split('\n')).toEqual([
    'a picture',
    'x: file:///x',
    'An image, 70 bytes, 1 x 1 pixels.',
    '(Not shown: audio, 3 bytes; file:///y, 3 bytes; a part of the type hologram; a part of the type undefined; another image, 70 bytes.)',
  ]);
  const large = toOutcome(await connections.call('test', ask('large')));
  expect(large.whole?.length).toBeLessThan(1_100_000);
  expect(large.text).toMatch(/only the first 1(?:\.\d+)? MB were kept/);
});
