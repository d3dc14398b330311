// Servers that nobody here wrote, over their real streams, in the sandbox without a network: `HEDDLE_FOREIGN_SERVERS` names a folder with
// them, as docs/architecture/testing.md says. A machine without a sandbox starts none of them.
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listTools } from '../../../activities/mcp/tool-lists.ts';
import { ServerConnections } from '../../../activities/mcp/server-connections.ts';
import { toOutcome } from '../../../activities/mcp/to-outcome.ts';
import { makePlace, never, serverIn } from './support.ts';

const folder = process.env['HEDDLE_FOREIGN_SERVERS'] ?? '';
const npm = (name: string, ...args: string[]): string[] => ['node', join(folder, 'node_modules', name), ...args];
const pip = (name: string, ...args: string[]): string[] => [join(folder, 'py', 'bin', 'python'), '-m', name, ...args];

/** A virtual environment leads to the Python that it was made with. */
function pythonFolders(): string[] {
  const python = join(folder, 'py', 'bin', 'python');
  return existsSync(python) ? [dirname(dirname(realpathSync(python)))] : [];
}

const rows: [name: string, command: string[], tool: string, args: Record<string, unknown>, answer: RegExp][] = [
  ['everything', npm('@modelcontextprotocol/server-everything/dist/index.js'), 'echo', { message: 'hello' }, /hello/],
  [
    'filesystem',
    npm('@modelcontextprotocol/server-filesystem/dist/index.js', '.'),
    'list_directory',
    { path: '.' },
    /./,
  ],
  ['memory', npm('@modelcontextprotocol/server-memory/dist/index.js'), 'read_graph', {}, /entities/],
  [
    'sequential-thinking',
    npm('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
    'sequentialthinking',
    { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtNumber/,
  ],
  ['git', pip('mcp_server_git'), 'git_status', { repo_path: '.' }, /branch/],
  ['time', pip('mcp_server_time', '--local-timezone', 'UTC'), 'get_current_time', { timezone: 'UTC' }, /UTC/],
];

test.skipIf(folder === '').each(rows)(
  '%s is listed, called, lost, and opened again',
  async (_, command, tool, args, answer) => {
    const place = { ...(await makePlace()), sandbox: { mode: 'require' as const, network: false } };
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    const server = serverIn('', {
      via: { kind: 'program', command },
      read: [folder, ...pythonFolders()],
      start: 60_000,
      timeout: 30_000,
    });
    const { tools, startMs } = await listTools(server, place, { signal: never });
    expect(tools.map(({ name }) => name)).toContain(tool);
    const connections = new ServerConnections([server], place);
    onTestFinished(() => connections.close());
    const request = { tool, args, key: 'k', signal: never };
    for (let round = 0; round < 2; round += 1) {
      expect(toOutcome(await connections.call('test', request)).text).toMatch(answer);
      const stop = new AbortController();
      const stopped = connections.call('test', { ...request, signal: stop.signal });
      stop.abort();
      await expect(stopped).rejects.toThrow('abort');
    }
    process.stdout.write(
      `${server.via.kind === 'program' ? command.join(' ') : ''}: ${tools.length} tools, ${startMs} ms\n`,
    );
    await connections.close();
    const left = execFileSync('sh', ['-c', `grep -lsa "HEDDLE_TEST=${place.folder}" /proc/[0-9]*/environ || true`]);
    expect(left.toString()).toBe('');
  },
);
