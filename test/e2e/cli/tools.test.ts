// `heddle tools` and `heddle tools serve`, as people and other programs call them.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../../client/cli/main.ts';
import type { ToolsReport } from '../../../client/ports/tools.ts';
import { servingCommand } from '../../../activities/mcp/server-place.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { capture } from '../../client/cli/shared/support.ts';
import { serverFile } from '../../activities/mcp/support.ts';

const toolFile = fileURLToPath(new URL('../../support/servers/tools.ts', import.meta.url));

/** A user with a config of their own, and the command line in a folder. */
function makeFolder(config: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  const settings = join(folder, '.config', 'heddle');
  for (const each of [workspace, settings]) mkdirSync(each, { recursive: true });
  writeFileSync(join(settings, 'heddle.toml'), config);
  const env = { PATH: process.env['PATH'], HOME: folder, HEDDLE_HOME: join(folder, 'home') };
  const run = async (...argv: string[]): Promise<{ code: number; text: string; errors: string }> => {
    const [stdout, stderr] = [capture(), capture()];
    const code = await main(argv, { ...createPorts(env, workspace), stdin: Readable.from([]), stdout, stderr });
    return { code, text: stdout.text(), errors: stderr.text() };
  };
  return { run };
}

test('heddle tools lists every tool with its gate, and every server with its state', async () => {
  const { run } = makeFolder(
    [
      `[mcp.good]\ncommand = ["node", "${serverFile}", "good"]\ntools = ["look", "add", "wipe"]`,
      `[mcp.dead]\ncommand = ["node", "${serverFile}", "dead"]`,
      `[tools]\nfiles = ["${toolFile}"]`,
      '[gates]\nallow = ["tool:mcp__good__wipe"]\ndeny = ["tool:sends"]\n',
    ].join('\n'),
  );
  const { code, text } = await run('tools', '--check', '--json');
  const { tools, servers } = JSON.parse(text) as ToolsReport;
  const rows = tools.map(({ name, from, kind, gate }) => `${name} ${from} ${kind} ${gate}`);
  expect(rows).toEqual(
    expect.arrayContaining([
      'read_file heddle reads allow',
      'shell heddle mutates depends',
      'mcp__good__look good reads allow',
      'mcp__good__add good mutates ask',
      'mcp__good__wipe good mutates allow',
      `deploy ${toolFile} mutates ask`,
      `sends ${toolFile} mutates deny`,
    ]),
  );
  expect(tools.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(servers).toEqual([
    { name: 'good', ok: true, tools: 17, startMs: expect.any(Number) as unknown },
    {
      name: 'dead',
      ok: false,
      tools: 0,
      startMs: 0,
      error: 'it ended with 1: first line no database at localhost:1',
    },
    { name: toolFile, ok: true, tools: 12, startMs: expect.any(Number) as unknown },
  ]);
  expect(code).toBe(1);
  const shown = await run('tools');
  expect(shown.text).toContain('mcp__good__look');
  const doctor = await run('doctor', '--json');
  expect(doctor.text).toContain('tools of good');
});

test('a server that no table finishes is refused with its place', async () => {
  const refusals: [config: string, message: string][] = [
    ['[mcp.a]\nnetwork = true\n', 'The server of tools `a` has neither `command` nor `url`.'],
    ['[mcp.a]\ncommand = ["x"]\nurl = "http://h/"\n', 'The server of tools `a` has both `command` and `url`.'],
    ['[mcp.a]\nurl = "http://h/"\nhome = true\n', '`home` of the server of tools `a` is for a program'],
    ['[mcp.a]\ncommand = ["x"]\ntokenEnv = "T"\n', '`tokenEnv` of the server of tools `a` is for a server with `url`.'],
    ['[mcp.a]\ncomand = ["x"]\n', 'did you mean `command`?'],
    ['[mcp.a__b]\ncommand = ["x"]\n', 'single `_`'],
    ['[mcp.a]\nurl = "ftp://h/"\n', 'should be an address'],
    ['[tools]\nfile = ["x"]\n', 'did you mean `files`?'],
  ];
  for (const [config, message] of refusals) {
    const { code, errors } = await makeFolder(config).run('tools');
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('a file of tools is served to any client', async () => {
  const [command = '', ...args] = servingCommand(toolFile);
  const client = new Client({ name: 'other', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, cwd: tmpdir() }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('look');
  expect((await client.callTool({ name: 'look', arguments: {} })).content).toEqual([
    { type: 'text', text: '{\n  "found": 3\n}' },
  ]);
});
