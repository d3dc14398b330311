// Events that older runs of a task moved to a store which the API does not have.
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { useApi } from '../../../support/api/api-rig.ts';
import { numbersOf, readStream, type SseFrame } from '../../../support/api/read-stream.ts';
import { end, useScriptedRig } from '../../../support/scripted-rig.ts';
import { status } from '../../cli/shared/support.ts';

const rig = useScriptedRig();
const api = useApi(Object.assign(rig, { storeFolder: join(tmpdir(), 'no-home', 'store') }));

test('events in a store that is missing are one gap, before the event that follows them', async () => {
  const page = (from: number, to: number) => ({ from, to, sha256: String(from).padStart(64, '0'), bytes: 10 });
  const task = await rig.start({
    status: { ...status(), host: 'builder', lastEventId: 125 },
    events: 125,
    archive: { events: [page(1, 60), page(61, 120)], attempts: [] },
  });
  const frames: SseFrame[] = [];
  for await (const frame of readStream(api.origin, `/tasks/${task.id}/stream`)) {
    frames.push(frame);
    if (frame.id === 125) await end(rig, task);
  }
  expect(frames.map(({ event }) => event).filter((event) => event !== 'rows')).toEqual([
    'status',
    'gap',
    ...Array.from({ length: 5 }, () => 'message'),
    'end',
  ]);
  expect(frames.find(({ event }) => event === 'gap')?.data).toEqual({ from: 1, to: 120, host: 'builder' });
  expect(numbersOf(frames)).toEqual([121, 122, 123, 124, 125]);
});
