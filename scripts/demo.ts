// `npm run demo`: a whole service in a temporary folder, a model that fixes a failing test and asks before a force push, the fix as a diff.
// Only a report page stays, until the next demo.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main } from '../client/cli/main.ts';
import type { Ports } from '../client/ports/ports.ts';
import type { UpInfo } from '../client/ports/service.ts';
import { createPorts } from '../workers/ports/create-ports.ts';
import { heddleHome } from '../workers/home/home.ts';
import { resolveTemporal } from '../workers/server/fetch/resolve-temporal.ts';

const root = join(import.meta.dirname, '..');
const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function demo(folder: string, page: string): Promise<number> {
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
    const info = await ready.promise;
    const isWatched = process.stdin.isTTY && process.stdout.isTTY;
    print('\nAs long as the demo runs:\n');
    print(`  Console          ${(isWatched ? info.signIn : info.console) ?? ''}`);
    print(`  Temporal Web UI  ${info.webUi ?? ''}\n`);
    const answering = isWatched ? Promise.resolve() : answer(ports);
    const code = await main(['run', 'plan.yaml', '--id', 'demo'], ports);
    await answering;
    print('\nThe fix, as `heddle diff demo fix` shows it:\n');
    await main(['diff', 'demo', 'fix'], ports);
    print('\nThe report as a page, kept until the next demo:');
    await main(['report', 'demo', '--html', page], ports);
    if (isWatched) await showConsole(info);
    return code;
  } finally {
    stop.abort();
    await service;
  }
}

/** The console has no more to show once the service is gone: it stays until the person has looked. */
async function showConsole({ signIn }: UpInfo): Promise<void> {
  print(`\nThe same task in the console:\n\n  ${signIn ?? ''}\n\nEnter ends the demo.`);
  const looked = Promise.withResolvers<unknown>();
  const reader = createInterface({ input: process.stdin });
  for (const event of ['line', 'close']) reader.once(event, () => looked.resolve(undefined));
  process.once('SIGINT', () => looked.resolve(undefined));
  await looked.promise;
  reader.close();
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

/** The next step, with what is set in this environment; these lines hold after everything else of the demo is gone. */
function printNext(env: NodeJS.ProcessEnv): void {
  const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'];
  const [key] = keys.filter((name) => (env[name] ?? '') !== '');
  const run = `${join(root, 'bin', 'heddle.js')} run "Make the tests pass"`;
  print('\nThe service and the workspace of the demo are gone. Now your own goal, in a folder of yours:\n');
  if (key === undefined) print(`  export ${keys[0]}=...   # or ${keys[1]}`);
  print(`  ${run}`);
  if (key !== undefined) print(`\n${key} is set, so a model of that provider plans and works.`);
}

const { cache } = heddleHome(process.env);
const folder = mkdtempSync(join(tmpdir(), 'heddle-demo-'));
const pages = join(cache, 'demo');
try {
  mkdirSync(pages, { recursive: true });
  process.exitCode = await demo(folder, join(pages, 'report.html'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.exitCode === 0) printNext(process.env);
