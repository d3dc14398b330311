// Streams of events as a program or a browser reads them, over real sockets, from tasks on a real server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectFrames, NoStream, numbersOf, readStream, type SseFrame } from '../../../support/api/read-stream.ts';
import { useApi } from '../../../support/api/api-rig.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const named = (frames: readonly SseFrame[], name: string): unknown[] =>
  frames.filter(({ event }) => event === name).map(({ data }) => data);

/** The frames up to the first that fits. */
async function until(frames: AsyncIterable<SseFrame>, fits: (frame: SseFrame) => boolean): Promise<SseFrame[]> {
  const seen: SseFrame[] = [];
  for await (const frame of frames) {
    seen.push(frame);
    if (fits(frame)) return seen;
  }
  throw new Error(`the stream ended: ${JSON.stringify(seen)}`);
}

const statusOf = async (request: ReturnType<typeof collectFrames>): Promise<number> =>
  request.then(
    () => 200,
    (error: unknown) => (error instanceof NoStream ? error.status : 0),
  );

test('the stream of a task tells its status once, each event by its number, changed rows, and its end', async () => {
  const workspace = rig.workspace();
  const go = join(workspace, 'go');
  const plan = shellPlan(
    {
      build: { sh: `echo building; until [ -e ${go} ]; do sleep 0.05; done; echo ok` },
      deploy: { sh: 'echo ok', dependsOn: ['build'] },
    },
    { workspace },
  );
  const task = await rig.start(plan);
  const path = `/tasks/${task.id}/stream`;
  const reading = collectFrames(api.origin, path);
  await eventOf(task, ({ type }) => type === 'attempt.started');
  writeFileSync(go, '');
  const frames = await reading;
  const last = (await task.status()).lastEventId;
  expect(numbersOf(frames)).toEqual(upTo(1, last));
  expect(frames[0]).toMatchObject({ event: 'status', data: { id: task.id } });
  expect(named(frames, 'status')).toHaveLength(1);
  expect(frames.at(-1)).toMatchObject({ event: 'end', data: { state: 'completed' } });
  const shown = frames.filter(({ event }) => event === 'status' || event === 'rows');
  expect(shown.at(-1)?.data).toMatchObject({ state: 'completed', decisions: [] });
  expect(frames.find(({ id }) => id === 1)).toMatchObject({ event: 'message', data: { type: 'task.started', id: 1 } });
  // From a number, as a browser does after a cut; and nothing more where it has all.
  expect(numbersOf(await collectFrames(api.origin, path, { lastEventId: last - 2 }))).toEqual([last - 1, last]);
  expect(numbersOf(await collectFrames(api.origin, `${path}?since=${last - 1}`))).toEqual([last]);
  expect(await statusOf(collectFrames(api.origin, path, { lastEventId: last }))).toBe(204);
  expect(await statusOf(collectFrames(api.origin, '/tasks/never-was/stream'))).toBe(404);
  expect(await statusOf(collectFrames(api.origin, `${path}?sinse=1`))).toBe(422);
});

test('two questions of one kind are both in the inbox within 2 s, and gone when they are answered', async () => {
  const ask = { sh: 'exit 77', maxAttempts: 1 };
  const { id } = await rig.start(shellPlan({ one: ask, two: { sh: 'sleep 2; exit 77', maxAttempts: 1 } }));
  const task = rig.client.task(id);
  const stop = new AbortController();
  const keys = new Set<string>();
  const seenAt = new Map<string, number>();
  let answer: Promise<unknown> | undefined;
  const frames = readStream(api.origin, '/stream', { signal: stop.signal });
  for await (const { event, data } of frames) {
    if (event !== 'inbox') continue;
    const inbox = data as Record<'items' | 'gone', { taskId: string; id: string; openedAt: string }[]>;
    for (const item of inbox.items.filter(({ taskId }) => taskId === id)) {
      keys.add(item.id);
      seenAt.set(item.id, Date.now() - Date.parse(item.openedAt));
    }
    for (const question of inbox.gone) keys.delete(question.id);
    // A frame about another task may come before the one about the answer.
    if (keys.size === 2) answer ??= task.decide({ decisionId: 'one-1', option: 'skip' });
    if (seenAt.size === 2 && keys.size === 1) break;
  }
  stop.abort();
  await answer;
  expect([...keys]).toEqual(['two-1']);
  // The second one opened while the first was shown.
  expect(seenAt.get('two-1')).toBeLessThan(2_000);
});

test('the stream of all tasks lists each once, then its changes, and follows one of them on the same connection', async () => {
  const task = await rig.start(shellPlan({ work: { sh: 'exit 77', maxAttempts: 1 } }), { by: 'ben' });
  await eventOf(task, decisionOpened());
  const stop = new AbortController();
  const frames = readStream(api.origin, `/stream?task=${task.id}`, { signal: stop.signal });
  const rows = (data: unknown) => (data as { items: { id: string; state: string }[] }).items;
  const begun = await until(frames, ({ event }) => event === 'tasks');
  expect(rows(named(begun, 'tasks')[0])).toContainEqual(
    expect.objectContaining({ id: task.id, state: 'waiting', by: 'ben', waitingOn: ['escalation'], done: 0, total: 1 }),
  );
  await task.decide({ decisionId: 'work-1', option: 'abort' });
  expect(await endOf(task)).toBe('cancelled');
  const isEnded = ({ event, data }: SseFrame): boolean =>
    event === 'tasks' && rows(data).some(({ id, state }) => id === task.id && state === 'cancelled');
  const rest: SseFrame[] = [];
  for await (const frame of readStream(api.origin, `/stream?task=${task.id}`, { signal: stop.signal })) {
    rest.push(frame);
    if (rest.some(isEnded) && rest.some(({ event }) => event === 'end')) break;
  }
  stop.abort();
  expect(numbersOf(rest)).toEqual(upTo(1, (await task.status()).lastEventId));
});

test('a name has 20 streams at most, and one that ends makes room', async () => {
  const task = await rig.start(shellPlan({ work: { sh: 'sleep 30' } }));
  const path = `/tasks/${task.id}/stream`;
  /** A stream that stays open behind its first frame. */
  const open = async (stop: AbortController): Promise<number> =>
    readStream(api.origin, path, { signal: stop.signal, as: 'operator-ana' })
      .next()
      .then(
        () => 200,
        (error: unknown) => (error instanceof NoStream ? error.status : 0),
      );
  const stops = upTo(1, 20).map(() => new AbortController());
  expect(await Promise.all(stops.map(open))).toEqual(stops.map(() => 200));
  const another = new AbortController();
  // If all of them came within a second, the name has to wait for its next request.
  await expect.poll(() => open(another)).toBe(503);
  stops[0]?.abort();
  await expect.poll(() => open(another)).toBe(200);
  for (const stop of [...stops, another]) stop.abort();
});

test('the output of an attempt is followed by byte offsets to its end', async () => {
  const workspace = rig.workspace();
  const go = join(workspace, 'go');
  const sh = `echo first; until [ -e ${go} ]; do sleep 0.05; done; echo zwölf`;
  const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
  await eventOf(task, ({ type }) => type === 'attempt.started');
  const path = `/tasks/${task.id}/subtasks/work/attempts/1/output`;
  const frames: SseFrame[] = [];
  for await (const frame of readStream(api.origin, path)) {
    frames.push(frame);
    if (frame.id === 6) writeFileSync(go, '');
  }
  expect(frames).toEqual([
    { id: 6, event: 'message', data: 'first\n' },
    { id: 13, event: 'message', data: 'zwölf\n' },
    { id: undefined, event: 'end', data: { attempt: 1 } },
  ]);
  expect(numbersOf(await collectFrames(api.origin, path, { lastEventId: 6 }))).toEqual([13]);
  expect(await api.ask('GET', path)).toMatchObject({ status: 200, text: 'first\nzwölf\n' });
});
