// Files of a user's own tools, served in the sandbox: every export of the fixture, and files that cannot be served.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { listServers, reportServers } from '../../../activities/mcp/check-servers.ts';
import { ServerConnections } from '../../../activities/mcp/server-connections.ts';
import { listTools } from '../../../activities/mcp/tool-lists.ts';
import { toOutcome } from '../../../activities/mcp/to-outcome.ts';
import { completeToolFile } from '../../../domain/config/servers.ts';
import type { ToolServer } from '../../../domain/types/basic/tool-server.ts';
import { makePlace, never } from './support.ts';

const file = fileURLToPath(new URL('../../support/servers/tools.ts', import.meta.url));
const serverOf = (path: string, timeout = 10_000): ToolServer => ({ ...completeToolFile(path, {}), timeout });

async function open(timeout?: number) {
  const place = await makePlace({ SECRET: 'x' });
  const server = serverOf(file, timeout);
  const connections = new ServerConnections([server], place);
  onTestFinished(() => connections.close());
  const call = async (tool: string, args: Record<string, unknown> = {}) =>
    toOutcome(await connections.call(file, { tool, args, key: 'k/7', signal: never }));
  return { place, server, call };
}

test('a file of tools is listed with its schemas and hints, and without what is no tool', async () => {
  const { place, server } = await open();
  const { tools } = await listTools(server, place, { signal: never });
  expect(tools.map(({ name }) => name).sort()).toEqual(
    'deploy exits fails late look loops plain prints returns sends starts variables'.split(' '),
  );
  expect(tools.find(({ name }) => name === 'deploy')).toMatchObject({
    input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    hints: { destructive: true },
  });
  expect(tools.find(({ name }) => name === 'sends')?.hints).toEqual({ settles: true });
});

test('each export answers as it should, one after the other in one process', async () => {
  const { place, call } = await open();
  expect(await call('deploy', { to: 'here' })).toEqual({ ok: true, text: 'deployed to here' });
  expect(readFileSync(join(place.workspace, 'ledger.txt'), 'utf8')).toBe('deploy here k/7\n');
  const wrong = await call('deploy', { to: 7 });
  expect(wrong).toMatchObject({ ok: false, text: expect.stringContaining('expected string') as unknown });
  expect(await call('look')).toEqual({ ok: true, text: '{\n  "found": 3\n}' });
  expect(await call('plain')).toEqual({ ok: true, text: 'done' });
  expect(await call('fails')).toEqual({ ok: false, text: 'no such place' });
  expect(await call('late')).toEqual({ ok: true, text: 'fine' });
  expect(await call('prints')).toEqual({ ok: true, text: 'printed' });
  expect(await call('nothing')).toMatchObject({ ok: false });
  expect(await call('sends/settle')).toEqual({ ok: true, text: 'done' });
  expect((await call('variables')).text.split(' ')).not.toContain('SECRET');
});

test('a tool that loops, ends its process or returns 50 MB is ended, and the next call works', async () => {
  const { call } = await open(2_000);
  await expect(call('loops')).rejects.toMatchObject({ kind: 'late' });
  await expect(call('exits')).rejects.toMatchObject({ kind: 'lost' });
  await expect(call('returns')).rejects.toMatchObject({ kind: 'lost' });
  expect(await call('look')).toMatchObject({ ok: true });
});

const broken: [what: string, text: string, why: string][] = [
  ['no tool', 'export const a = 1;', 'It exports no tool'],
  ['broken syntax', 'export const a = {;', 'SyntaxError'],
  ['a missing import', "import './away.ts';", 'away.ts'],
  ['a throw', "throw new Error('not today');", 'not today'],
  ['a bad name', "export const größe = { description: 'a', run: () => 1 };", 'is no name of a tool'],
  ['no description', 'export const a = { run: () => 1 };', 'has no description'],
  ['a wrong schema', "export const a = { description: 'a', input: 7, run: () => 1 };", 'is no schema of an object'],
  ['an end of its own', 'process.exit(0);', 'it ended with 0'],
];

test('files that cannot be served are named, each with its reason', async () => {
  const place = await makePlace();
  const servers = broken.map(([, text], at) => {
    const path = join(place.workspace, `broken-${at}.ts`);
    writeFileSync(path, text);
    return serverOf(path);
  });
  const { problems } = reportServers(await listServers(servers, place, { signal: never }));
  expect(problems.map(({ code }) => code)).toEqual(broken.map(() => 'TOOL_FILE_INVALID'));
  for (const [at, [what, , why]] of broken.entries()) expect(problems[at]?.message, what).toContain(why);
});

test('a name that Heddle or another file has is refused', async () => {
  const place = await makePlace();
  const write = (name: string, text: string): ToolServer => {
    writeFileSync(join(place.workspace, name), text);
    return serverOf(join(place.workspace, name));
  };
  const tool = "{ description: 'a', run: () => 1 }";
  const servers = [
    write('one.ts', `export const mine = ${tool};`),
    write('two.mjs', `export const mine = ${tool}; export const shell = ${tool};`),
  ];
  const { problems } = reportServers(await listServers(servers, place, { signal: never }));
  expect(problems.map(({ code, message }) => `${code} ${message.split(' of ')[0] ?? ''}`)).toEqual([
    'TOOL_NAME_TAKEN The tool mine',
    'TOOL_NAME_TAKEN The tool shell',
  ]);
});
