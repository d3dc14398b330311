// `npm run demo`: a whole service in a temporary folder, a model that fixes a failing test and asks before a force push, the report. Leaves nothing behind.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../client/cli/main.ts';
import type { Ports } from '../client/ports/ports.ts';
import type { UpInfo } from '../client/ports/service.ts';
import { createPorts } from '../workers/ports/create-ports.ts';
import { heddleHome } from '../workers/home/home.ts';
import { resolveTemporal } from '../workers/server/fetch/resolve-temporal.ts';

const root = join(import.meta.dirname, '..');
const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function demo(folder: string): Promise<number> {
  // The server's program goes to the user's cache, so that the next demo and the tests find it.
  const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress: print });
  const env = {
    ...process.env,
    // A server of its own, whatever the user has.
    TEMPORAL_ADDRESS: undefined,
    TEMPORAL_PROFILE: undefined,
    TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
    TEMPORAL_CLI_PATH: path,
    HEDDLE_HOME: join(folder, 'home'),
    // The folder is ours: what its config names is what the demo shows.
    HEDDLE_TRUST: '1',
  };
  const workspace = join(folder, 'workspace');
  makeRepository(workspace);
  const ports: Ports = { ...createPorts(env), cwd: workspace };
  const stop = new AbortController();
  const ready = Promise.withResolvers<UpInfo>();
  const service = ports.up({ onReady: ready.resolve, signal: stop.signal, progress: print });
  service.catch(ready.reject);
  try {
    const { webUi } = await ready.promise;
    print(`\nTemporal Web UI, as long as the demo runs: ${webUi ?? ''}\n`);
    const answering = process.stdin.isTTY && process.stdout.isTTY ? Promise.resolve() : answer(ports);
    const code = await main(['run', 'plan.yaml', '--id', 'demo'], ports);
    await answering;
    print('');
    await main(['report', 'demo'], ports);
    return code;
  } finally {
    stop.abort();
    await service;
  }
}

/** The files of the example on a branch, and an origin on which that branch has a commit of its own. */
function makeRepository(workspace: string): void {
  cpSync(join(root, 'examples', 'demo'), workspace, { recursive: true });
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: workspace, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  git('init', '--quiet', '--initial-branch', 'fix-slugs');
  git('config', 'user.name', 'Demo');
  git('config', 'user.email', 'demo@example.invalid');
  git('config', 'commit.gpgSign', 'false');
  git('config', 'core.hooksPath', '/dev/null');
  appendFileSync(join(workspace, '.git', 'info', 'exclude'), 'origin.git\n');
  git('init', '--quiet', '--bare', 'origin.git');
  git('remote', 'add', 'origin', './origin.git');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Slugs, with a failing test');
  git('commit', '--quiet', '--allow-empty', '-m', 'An earlier try');
  git('push', '--quiet', 'origin', 'fix-slugs');
  git('reset', '--quiet', '--hard', 'HEAD~1');
}

/** Nobody is at the keyboard: answers the question a moment after it opens, once nothing else can go on. */
async function answer(ports: Ports): Promise<void> {
  const { client } = await ports.connect();
  try {
    const task = client.task('demo');
    for (let tries = 0; tries < 600; tries += 1) {
      const status = await task.status().catch(() => undefined);
      const open = status?.decisions[0];
      if (status !== undefined && status.endedAt !== null) return;
      if (status?.state === 'waiting' && open !== undefined) {
        print(`\nThe demo answers for you: heddle decide demo ${open.id} approve\n`);
        await task.decide({ decisionId: open.id, option: 'approve', by: 'the demo' });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await client.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-demo-'));
try {
  process.exitCode = await demo(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
