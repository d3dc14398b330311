/* Whatever a service sends: a reply of the right shape or a typed error, never anything else. HEDDLE_FUZZ_RUNS=100000 for a long look. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { ModelError } from '../../../../activities/llm/ports/model.ts';
import { failureTypes } from '../../../../domain/types/basic/failure-types.ts';
import { serveModel, type Played } from '../../../support/model-server.ts';
import { errorCases } from './error-bodies.ts';
import { modelAt, models, requestTo } from './support.ts';
import { spoken } from './wires.ts';

const asked = process.env['HEDDLE_FUZZ_RUNS'];
const numRuns = Number(asked ?? 10_000);
/** Milliseconds of one call: a second; when other tests load the machine, only a hang is noticed. */
const most = asked === undefined ? 20_000 : 1_000;
const patience = asked === undefined ? 180_000 : 3_600_000;

const count = z.int().nonnegative();
const part = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'thinking']), text: z.string() }),
  z.object({ type: z.literal('call'), id: z.string(), tool: z.string(), input: z.string() }),
]);
const replySchema = z.object({
  parts: z.array(part),
  finish: z.enum(['stop', 'calls', 'length', 'refusal', 'other']),
  usage: z.object({ input: count, output: count, cached: count, reasoning: count }),
  took: count,
});

/** Pieces of a true stream, in disorder: some left out, doubled, moved, damaged, or of another service. */
const streams = (pieces: readonly string[]): fc.Arbitrary<string[]> => {
  const strange = fc.oneof(
    fc.constantFrom(...spoken.flatMap((other) => other.pieces)),
    fc.json().map((json) => `data: ${json}\n\n`),
    fc.json().map((json) => `${json}\n`),
    fc.string(),
  );
  const damaged = fc
    .tuple(fc.constantFrom(...pieces), fc.nat(400), fc.nat(20), fc.string({ maxLength: 8 }))
    .map(([piece, at, length, put]) => piece.slice(0, at) + put + piece.slice(at + length));
  const kept = fc.constantFrom(...pieces);
  return fc.oneof(
    fc.array(fc.oneof({ weight: 6, arbitrary: kept }, damaged, strange), { maxLength: 20 }),
    fc.tuple(fc.nat(pieces.length), fc.oneof(damaged, strange)).map(([at, put]) => pieces.toSpliced(at, 1, put)),
    fc.tuple(fc.nat(pieces.length), fc.oneof(damaged, strange)).map(([at, put]) => pieces.toSpliced(at, 0, put)),
  );
};

const bodies = (whole: unknown): fc.Arbitrary<string[]> => {
  const text = JSON.stringify(whole);
  return fc.oneof(
    fc.json().map((json) => [json]),
    fc.string().map((one) => [one]),
    fc
      .tuple(fc.nat(text.length), fc.nat(30), fc.string({ maxLength: 10 }))
      .map(([at, length, put]) => [text.slice(0, at) + put + text.slice(at + length)]),
    fc.constantFrom(...errorCases.map(({ body }) => [typeof body === 'string' ? body : JSON.stringify(body)])),
  );
};

test.each(spoken)(
  '$kind',
  async (reply) => {
    let next: Played = {};
    const server = await serveModel(() => next);
    const port = models();
    const played = fc.boolean().chain((stream) =>
      fc.record({
        stream: fc.constant(stream),
        status: fc.oneof(
          { weight: 4, arbitrary: fc.constant(200) },
          fc.constantFrom(201, 204, 304, 400, 401, 404, 413, 429, 500, 529, 599),
        ),
        type: fc.constantFrom(reply.streamType, 'application/json', 'text/html'),
        pieces: stream ? streams(reply.pieces) : bodies(reply.whole),
        end: fc.constantFrom('whole' as const, 'whole' as const, 'cut' as const),
      }),
    );
    await fc.assert(
      fc.asyncProperty(played, async ({ stream, status, type, pieces, end }) => {
        next = {
          status,
          headers: { 'content-type': type },
          pieces: status === 204 || status === 304 ? [] : pieces,
          end,
        };
        const started = performance.now();
        try {
          replySchema.parse(await port.call(requestTo(modelAt(reply.kind, server.url, { stream }))));
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          expect(failureTypes).toContain(error.failure.type);
          expect(error.failure.summary).toMatch(/^The .+\.$/);
        }
        expect(performance.now() - started).toBeLessThan(most);
      }),
      { numRuns: Math.ceil(numRuns / spoken.length) },
    );
  },
  patience,
);
