/* A reply that breaks off anywhere: nothing of it is used, not even a call that looks complete, and it is trouble that passes. */
import { describe, expect, test } from 'vitest';

import type { ModelReply } from '../../../../activities/llm/ports/model.ts';
import { ModelError } from '../../../../activities/llm/ports/model.ts';
import { serveModel, type Played } from '../../../support/model-server.ts';
import { call, modelAt } from './support.ts';
import { spoken, type SpokenReply } from './wires.ts';

type End = { reply: ModelReply } | { failure: ModelError['failure'] };

const endOf = (calling: Promise<ModelReply>): Promise<End> =>
  calling.then(
    (reply) => ({ reply }),
    (error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      return { failure: error.failure };
    },
  );

/** The results of every prefix of a stream, asked one after the other. */
async function prefixes({ kind, pieces, streamType }: SpokenReply, end: Played['end']): Promise<End[]> {
  const server = await serveModel((_, index) => ({
    headers: { 'content-type': streamType },
    pieces: pieces.slice(0, index),
    ...(end === undefined ? {} : { end }),
  }));
  const ends: End[] = [];
  for (let count = 0; count <= pieces.length; count += 1) ends.push(await endOf(call(modelAt(kind, server.url))));
  expect(server.received).toHaveLength(pieces.length + 1);
  return ends;
}

const isVoid = (end: End | undefined): boolean =>
  end !== undefined && 'failure' in end && end.failure.type === 'overloaded' && end.failure.category === 'transient';

describe.each(spoken)('$kind', (reply) => {
  test('a connection that is gone after any piece voids the reply', async () => {
    const ends = await prefixes(reply, 'cut');
    expect(ends.map(isVoid)).toEqual(ends.map(() => true));
  });

  test('an end after any piece that does not say that it is the end voids the reply', async () => {
    const ends = await prefixes(reply, 'whole');
    // Chat Completions tell it before they count, and end with a mark that says nothing more.
    const complete = reply.kind === 'openai-compatible' ? 3 : 1;
    expect(ends.map(isVoid)).toEqual(ends.map((_, index) => index < ends.length - complete));
    expect(ends.at(-1)).toMatchObject({ reply: { finish: 'calls', usage: reply.usage } });
  });

  test('a stream that is cut inside any of its bytes is void', async () => {
    const bytes = Buffer.from(reply.pieces.join(''));
    const cuts = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 1) * bytes.length) / 42));
    const server = await serveModel((_, index) => ({
      headers: { 'content-type': reply.streamType },
      pieces: [bytes.subarray(0, cuts[index])],
      end: 'cut',
    }));
    for (const cut of cuts) expect(isVoid(await endOf(call(modelAt(reply.kind, server.url)))), `at ${cut}`).toBe(true);
  });

  test('a reply that comes at once and is cut is void', async () => {
    const body = JSON.stringify(reply.whole);
    for (const end of ['cut', 'whole'] as const) {
      const server = await serveModel(() => ({ pieces: [body.slice(0, body.length / 2)], end }));
      expect(isVoid(await endOf(call(modelAt(reply.kind, server.url, { stream: false }))))).toBe(true);
      expect(server.received).toHaveLength(1);
    }
  });

  test('however the pieces are split on their way, the reply is the same', async () => {
    const bytes = Buffer.from(reply.pieces.join(''));
    const server = await serveModel((_, index) => ({
      headers: { 'content-type': reply.streamType },
      pieces: Array.from({ length: Math.ceil(bytes.length / (7 + index)) }, (__, at) =>
        bytes.subarray(at * (7 + index), (at + 1) * (7 + index)),
      ),
    }));
    const replies = [
      await endOf(call(modelAt(reply.kind, server.url))),
      await endOf(call(modelAt(reply.kind, server.url))),
    ];
    for (const end of replies) expect(end).toMatchObject({ reply: { finish: 'calls', usage: reply.usage } });
  });
});
