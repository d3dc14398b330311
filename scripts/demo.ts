// `npm run demo`: a whole service in a temporary folder, one task that fails and recovers, one question, the report. Leaves nothing behind.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../client/cli/main.ts';
import type { Ports } from '../client/ports/ports.ts';
import type { UpInfo } from '../client/ports/service.ts';
import { createPorts } from '../workers/ports.ts';
import { heddleHome } from '../workers/home/home.ts';
import { resolveTemporal } from '../workers/server/resolve-temporal.ts';

const root = join(import.meta.dirname, '..');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function demo(folder: string): Promise<number> {
  // The server's program goes to the user's cache, so that the next demo and the tests find it.
  const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress: say });
  const env = {
    ...process.env,
    // A server of its own, whatever the user has.
    TEMPORAL_ADDRESS: undefined,
    TEMPORAL_PROFILE: undefined,
    TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
    TEMPORAL_CLI_PATH: path,
    HEDDLE_HOME: join(folder, 'home'),
  };
  const workspace = join(folder, 'workspace');
  cpSync(join(root, 'examples', 'demo'), workspace, { recursive: true });
  const ports: Ports = { ...createPorts(env), cwd: workspace };
  const stop = new AbortController();
  const ready = Promise.withResolvers<UpInfo>();
  const service = ports.up({ onReady: ready.resolve, signal: stop.signal, progress: say });
  service.catch(ready.reject);
  try {
    const { webUi } = await ready.promise;
    say(`\nTemporal Web UI, as long as the demo runs: ${webUi ?? ''}\n`);
    const answering = process.stdin.isTTY && process.stdout.isTTY ? Promise.resolve() : answer(ports);
    const code = await main(['run', 'plan.yaml', '--id', 'demo'], ports);
    await answering;
    say('');
    await main(['report', 'demo'], ports);
    return code;
  } finally {
    stop.abort();
    await service;
  }
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
        say(
          `\nThe demo answers for you: heddle decide demo ${open.id} fix --instruction "announce it in the release channel"\n`,
        );
        await task.decide({
          decisionId: open.id,
          option: 'fix',
          instruction: 'announce it in the release channel',
          by: 'the demo',
        });
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
