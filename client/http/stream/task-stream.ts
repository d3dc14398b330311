import { z } from 'zod';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { none, route, type RawCall, type Reply, type Route } from '../route.ts';
import type { Identity } from '../identity.ts';
import { openStream, readSince, type FrameSource } from './open-stream.ts';
import { listTaskFrames } from './task-frames.ts';
import { wholeNumber } from '../fields.ts';

/** `GET /tasks/{t}/stream`. */
export const taskStream: Route = route({
  method: 'GET',
  path: '/tasks/{t}/stream',
  role: 'viewer',
  summary: 'Sends the status of a task once, then its events and changes as they happen, to its end.',
  query: z.strictObject({ since: wholeNumber.optional() }),
  body: none,
  answers: [
    { status: 200, description: 'Server-sent events.', types: ['text/event-stream'] },
    { status: 204, description: 'The task has ended, and the reader has all its events.' },
  ],
  errors: ['TASK_NOT_FOUND', 'STREAMS_FULL'],
  run: async (call) => streamTask(call, call.identity, call.query.since),
});

async function streamTask(call: RawCall, identity: Identity, given: number | undefined): Promise<Reply> {
  const handle = await findTask(call, call.params['t'] ?? '');
  const since = readSince(call, given);
  if (await hasAll(call, handle, since)) return { status: 204 };
  return openStream(call, identity, [sourceOf(call, handle, since)]);
}

/** A task by its id; `latest` is one. */
export const findTask = async ({ parts }: Pick<RawCall, 'parts'>, id: string): Promise<TaskHandle> =>
  (await parts.endpoint()).client.find(id);

/** The frames of a task for a reader who has the events up to a number. */
export function sourceOf({ shared }: Pick<RawCall, 'shared'>, handle: TaskHandle, since: number): FrameSource {
  const begun = Date.now();
  return (signal) =>
    listTaskFrames(handle, {
      ...{ since, signal, looks: shared.looks },
      onEvent: ({ time }) => {
        const at = Date.parse(time);
        // Older ones were sent late because the reader came late.
        if (at >= begun) shared.meters.eventLag.record(Date.now() - at);
      },
    });
}

/** True where a task has ended and nothing is left to send. Throws `TASK_NOT_FOUND`. */
async function hasAll({ shared: { looks } }: RawCall, handle: TaskHandle, since: number): Promise<boolean> {
  const end = await looks.get(`end state of ${handle.id}`, () => handle.end());
  if (since === 0) return false;
  const status = await looks.get(`status of ${handle.id}`, () => handle.status()).catch(() => undefined);
  // A task says that it has ended a moment before the server does.
  return status !== undefined && (end !== undefined || status.endedAt !== null) && since >= status.lastEventId;
}
