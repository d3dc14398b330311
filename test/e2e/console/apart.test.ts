// API, worker and Temporal server as processes of their own, each killed in turn while a page and a program look on. The task outlives two
// of its runs meanwhile. With HEDDLE_LARGE=1 it has so many events that the first of them are in the store.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { archive } from '../../../workflows/task/messages.ts';
import { startDevServer, type DevServer } from '../../../workers/server/dev-server.ts';
import { collectFrames, numbersOf, readStream, type SseFrame } from '../../support/api/read-stream.ts';
import { chromiumPath, useBrowser } from '../../support/browser.ts';
import { Cli, until, type Running } from '../../support/cli.ts';
import { overflowOf, watch } from './console-stack.ts';

const openPage = useBrowser(() => Promise.resolve({}));

const isLarge = process.env['HEDDLE_LARGE'] !== undefined;
/** Subtasks of each stage before its question. A run carries 200 events on. */
const widths = isLarge ? [50, 15, 15] : [2, 2, 2];

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** The Temporal server of this test: a run of a task ends after so many entries of its history. */
const startServer = (folder: string, ports: { port?: number } = {}): Promise<DevServer> =>
  startDevServer({
    temporalPath: inject('temporalPath'),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    headless: true,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '18' },
    ...ports,
    ...(ports.port === undefined ? {} : { keepPorts: true }),
  });

/** A command that runs until it is killed; its first line says that it is ready. */
async function begin(cli: Cli, ...args: string[]): Promise<Running> {
  const running = cli.start(...args, '--json');
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const failed = running.finished.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([until(`${args[0]} is ready`, () => running.stdout().includes('\n'), 60_000), failed]);
  return running;
}

async function kill(running: Running): Promise<void> {
  running.child.kill('SIGKILL');
  await running.finished;
}

const originOf = (running: Running): string => (JSON.parse(running.stdout()) as { console: string }).console;

const asks = '[ $HEDDLE_ATTEMPT = 2 ] && { echo yes; exit 0; }; echo "not allowed" >&2; exit 77';

function stages(): object[] {
  const command = (sh: string): object => ({ kind: 'command', run: ['sh', '-c', sh] });
  return widths.flatMap((width, index) => {
    const stage = index + 1;
    const dependsOn = stage === 1 ? [] : [`gate${stage - 1}`];
    const wide = upTo(1, width).map((n) => `s${stage}-${n}`);
    return [
      ...wide.map((id) => ({ id, description: id, dependsOn, executor: command(`echo ${id}`) })),
      { id: `gate${stage}`, description: 'Ask', dependsOn: wide, executor: command(asks) },
    ];
  });
}

/** Reads the stream of a task to its end as a browser does: it connects again from the number that it has. */
async function followThrough(origin: () => string, path: string, token: string): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  for (const deadline = Date.now() + 200_000; Date.now() < deadline;) {
    try {
      const lastEventId = numbersOf(frames).at(-1) ?? 0;
      for await (const frame of readStream(origin(), path, { token, lastEventId })) frames.push(frame);
      if (frames.at(-1)?.event === 'end') return frames;
    } catch {
      await sleep(300);
    }
  }
  throw new Error('the task did not end');
}

const question = (page: Page, subtask: string) => page.locator('.asks').getByText(subtask).first();

/** The first events are in the store. An API with another home has not this store: one gap, then the rest. */
async function lookElsewhere({ address, taskId, lastEventId }: Moved): Promise<void> {
  const client = await HeddleClient.connect({ address });
  const { events } = await client.temporal.workflow.getHandle(`task-${taskId}`).query(archive);
  await client.close();
  expect(events.length).toBeGreaterThanOrEqual(2);
  const stranger = new Cli({ TEMPORAL_ADDRESS: address });
  const other = await begin(stranger, 'serve');
  const { token } = await stranger.json<{ token: string }>('auth', 'token', 'add', 'ben', '--role', 'viewer');
  const frames = await collectFrames(originOf(other), `/tasks/${taskId}/stream`, { token });
  const moved = events.at(-1)?.to ?? 0;
  expect(frames.filter(({ event }) => event === 'gap').map(({ data }) => data)).toEqual([
    expect.objectContaining({ from: 1, to: moved }),
  ]);
  expect(numbersOf(frames)).toEqual(upTo(moved + 1, lastEventId));
}

interface Moved {
  address: string;
  taskId: string;
  lastEventId: number;
}

test.skipIf(chromiumPath === undefined)(
  'API, worker and Temporal server are killed in turn: the page says what is wrong, comes back by itself and misses nothing',
  { timeout: 240_000 },
  async () => {
    const folder = new Cli().cwd;
    let server = await startServer(folder);
    onTestFinished(() => server.stop());
    const cli = new Cli({ TEMPORAL_ADDRESS: server.address });
    let api = await begin(cli, 'serve');
    let worker = await begin(cli, 'worker');
    const { token } = await cli.json<{ token: string }>('auth', 'token', 'add', 'ana', '--role', 'operator');
    const subtasks = stages();
    const plan = {
      goal: 'Outlive everything',
      ladder: [{ tier: 'assigned' }, { person: true }],
      subtasks,
      maxParallelSubtasks: 10,
    };
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
    const stream = `/tasks/${taskId}/stream`;
    const following = followThrough(() => originOf(api), stream, token);
    following.catch(() => undefined);

    const page = await openPage();
    const { troubles } = watch(page, originOf(api));
    await page.goto((await cli.json<{ url: string }>('open', '--print')).url);
    await question(page, 'gate1').waitFor({ timeout: 60_000 });
    await page.goto(`${originOf(api)}/tasks/${taskId}`);
    await page.locator('.sentence .button').waitFor();

    // The API alone: the task goes on without it.
    await kill(api);
    await page.getByText('Heddle does not answer').first().waitFor({ timeout: 20_000 });
    await cli.json('decide', taskId, 'gate1-1', 'retry');
    const before = originOf(api);
    api = await begin(cli, 'serve');
    expect(originOf(api)).toBe(before);
    await page.locator('.bar .live.is-live').waitFor({ timeout: 30_000 });
    await page.getByText('Heddle does not answer').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.sentence').textContent(), { timeout: 30_000 }).toContain('gate2');

    // The worker alone: the answer is left for the next one.
    await page.goto(`${before}/tasks/${taskId}/decisions/gate2-1`);
    await page.locator('.card .options').waitFor();
    await kill(worker);
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Leave the answer for the next worker' }).click({ timeout: 60_000 });
    await page.locator('.toast').getByText('The task reads it when a worker is there.').waitFor();
    await page.goto(`${before}/tasks/${taskId}/decisions/gate2-1`);
    await page
      .getByText(/no worker/i)
      .first()
      .waitFor({ timeout: 30_000 });
    worker = await begin(cli, 'worker');
    await page.locator('.answered').waitFor({ timeout: 40_000 });
    expect(await page.locator('.answered').textContent()).toMatch(/answered Try again/);

    // The Temporal server alone.
    await page.goto(`${before}/tasks/${taskId}`);
    await expect.poll(() => page.locator('.sentence').textContent(), { timeout: 30_000 }).toContain('gate3');
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await page.getByText('The Temporal server is not responding').waitFor({ timeout: 30_000 });
    server = await startServer(folder, { port: server.port });
    await until(
      'it takes the answer',
      async () => (await cli.run('decide', taskId, 'gate3-1', 'retry')).code === 0,
      60_000,
    );
    await page.locator('.sentence.is-done').waitFor({ timeout: 60_000 });
    await page.getByText('The Temporal server is not responding').waitFor({ state: 'detached' });
    expect(await overflowOf(page)).toBe(0);
    expect(troubles).toEqual([]);

    const { lastEventId } = await cli.json<{ lastEventId: number }>('status', taskId);
    // The page shows the newest ones, each once.
    const shown = await page.locator('.feed time + span').allTextContents();
    expect(shown.length).toBeGreaterThan(30);
    const texts = (await following).flatMap(({ id, data }) =>
      id === undefined ? [] : (data as { text: string }).text,
    );
    expect(shown).toEqual(texts.slice(-shown.length).toReversed());
    expect(numbersOf(await following)).toEqual(upTo(1, lastEventId));
    expect(numbersOf(await collectFrames(before, stream, { token }))).toEqual(upTo(1, lastEventId));
    if (isLarge) await lookElsewhere({ address: server.address, taskId, lastEventId });
  },
);
