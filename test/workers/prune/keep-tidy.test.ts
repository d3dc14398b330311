// A home prunes itself once a day, asking the real server what its open tasks need; a server is known by its database, not its address.
import { Client, Connection } from '@temporalio/client';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { openReferences } from '../../../client/sdk/open-references.ts';
import { defaultLogging } from '../../../domain/config/keys/limit-keys.ts';
import { keepTidy } from '../../../workers/prune/keep-tidy.ts';
import { readServed } from '../../../workers/home/served-servers.ts';
import { startDevServer } from '../../../workers/server/dev-server.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';

const day = 24 * 60 * 60_000;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'heddle-tidy-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function serve(database: string): Promise<{ client: Client; address: string; stop: () => Promise<void> }> {
  const server = await startDevServer({
    temporalPath: inject('temporalPath'),
    dbFile: join(database, 'temporal.db'),
    logFile: join(database, 'temporal.log'),
    headless: true,
  });
  const connection = await Connection.connect({ address: server.address });
  const stop = async (): Promise<void> => {
    await connection.close();
    await server.stop();
  };
  return { client: new Client({ connection }), address: server.address, stop };
}

class Home {
  readonly root = folder();
  readonly store = join(this.root, 'store');
  readonly logs = join(this.root, 'logs');
  readonly files = new FileStore(this.store);

  async old(text: string): Promise<Ref> {
    const ref = await this.files.put(text);
    const then = new Date(Date.now() - 40 * day);
    utimesSync(this.files.path(ref), then, then);
    return ref;
  }

  has(ref: Ref): boolean {
    return existsSync(this.files.path(ref));
  }
}

interface Lines {
  lines: unknown[];
  stopping: AbortController;
}

/** Prunes as a process of the home does, with a look at the clock every few moments. */
function tidy(home: Home, client: Client, address: string, { lines, stopping }: Lines): Promise<void> {
  return keepTidy({
    home,
    env: process.env,
    client,
    server: { address, namespace: 'default', local: true },
    logger: { info: (...line: unknown[]) => lines.push(line), warn: (...line: unknown[]) => lines.push(line) },
    logs: defaultLogging,
    signal: stopping.signal,
    times: { first: 0, look: 20, every: day },
  });
}

const begin = (): Lines => ({ lines: [], stopping: new AbortController() });

test('once a day what is old goes, with a line in the log, and what an open task reaches stays; nothing goes when the server does not answer; a server is known by its database, whatever its port', async () => {
  const database = folder();
  const { client, address, stop } = await serve(database);
  onTestFinished(stop);
  const home = new Home();
  const output = await home.old('printed');
  const page = await home.old(JSON.stringify({ output }));
  const unneeded = await home.old('unneeded');
  await client.workflow.start('task', { workflowId: 'task-open', taskQueue: 'nobody', args: [{ plan: page }] });
  const ended = await client.workflow.start('task', {
    workflowId: 'task-ended',
    taskQueue: 'nobody',
    args: [{ plan: unneeded }],
  });
  await ended.terminate();
  await expect.poll(async () => (await openReferences(client)).taskIds).toEqual(['open']);

  const day1 = begin();
  const running = tidy(home, client, address, day1);
  await expect.poll(() => home.has(unneeded)).toBe(false);
  const later = await home.old('of the same day');
  await sleep(300);
  // A second process of the same home: the day is not over for it either.
  const another = tidy(home, client, address, day1);
  await sleep(300);
  day1.stopping.abort();
  await Promise.all([running, another]);
  expect([page, output, later].map((ref) => home.has(ref))).toEqual([true, true, true]);
  expect(day1.lines).toMatchObject([[{ objects: 1, openTasks: 1 }, expect.stringContaining('removed')]]);
  expect(await readServed(home.root)).toMatchObject([{ local: true, openTasks: ['open'], keep: [page.sha256] }]);

  const { serverId } = await openReferences(client);
  await stop();
  const silent = new Home();
  const old = await silent.old('old');
  const unanswered = begin();
  const asking = tidy(silent, client, address, unanswered);
  await expect.poll(() => unanswered.lines.length, { timeout: 30_000 }).toBeGreaterThan(0);
  unanswered.stopping.abort();
  await asking;
  expect(unanswered.lines[0]).toMatchObject([{}, 'the home could not be pruned']);
  expect(silent.has(old)).toBe(true);

  const ids: string[] = [];
  for (const place of [database, folder()]) {
    const next = await serve(place);
    onTestFinished(next.stop);
    ids.push((await openReferences(next.client)).serverId);
  }
  expect(ids).toEqual([serverId, expect.not.stringMatching(serverId)]);
}, 120_000);
