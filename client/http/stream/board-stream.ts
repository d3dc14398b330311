import { z } from 'zod';
import type { BoardNews } from '../../board/read-board.ts';
import { someName, wholeNumber } from '../fields.ts';
import { none, route, type Route } from '../route.ts';
import { openStream, readSince, trouble, type FrameSource } from './open-stream.ts';
import type { Frame } from './sse-writer.ts';
import { findTask, sourceOf } from './task-stream.ts';

/** `GET /stream`. */
export const boardStream: Route = route({
  method: 'GET',
  path: '/stream',
  role: 'viewer',
  summary: 'Sends all open questions and tasks once, then what changes; with `task`, the stream of that task too.',
  query: z.strictObject({ task: someName.optional(), since: wholeNumber.optional() }),
  body: none,
  answers: [{ status: 200, description: 'Server-sent events.', types: ['text/event-stream'] }],
  errors: ['TASK_NOT_FOUND', 'STREAMS_FULL'],
  run: async (call) => {
    const { client } = await call.parts.endpoint();
    const board = call.shared.boardOf(client);
    const sources: FrameSource[] = [(signal) => listBoardFrames(board.read(signal))];
    const { task, since } = call.query;
    if (task !== undefined) {
      const handle = await findTask(call, task);
      await call.shared.looks.get(`end state of ${handle.id}`, () => handle.end());
      sources.push(sourceOf(call, handle, readSince(call, since)));
    }
    return openStream(call, call.identity, sources);
  },
});

async function* listBoardFrames(news: AsyncIterable<BoardNews>): AsyncGenerator<Frame, void, undefined> {
  for await (const each of news) {
    if (each.kind === 'trouble') yield trouble(each.trouble ?? null);
    else {
      const { kind, removed, ...data } = each;
      yield { event: kind, data: JSON.stringify({ ...data, gone: removed }) };
    }
  }
}
