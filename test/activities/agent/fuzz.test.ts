// Whatever a model says, the loop comes to a typed end. HEDDLE_FUZZ_RUNS runs more.
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { ModelReply } from '../../../activities/llm/ports/model.ts';
import type { ReplyPart } from '../../../domain/conversation/message.ts';
import { toolNames } from '../../../domain/executors/agent.ts';
import { finish, ScriptedModels } from './support.ts';
import { lead } from './support-cuts.ts';

const runs = Number(process.env.HEDDLE_FUZZ_RUNS ?? 150);

const path = fc.constantFrom('a', 'b', 'docs/c', '../x', '', '\0', 'a'.repeat(300));
const plausible = fc.oneof(
  path.map((given) => JSON.stringify({ path: given })),
  fc.tuple(path, fc.string({ unit: 'binary' })).map(([given, content]) => JSON.stringify({ path: given, content })),
  fc.string().map((text) => JSON.stringify({ text })),
  fc.json(),
);
const cut = fc.tuple(plausible, fc.nat(40)).map(([whole, at]) => whole.slice(0, at));
const input = fc.oneof(plausible, cut, fc.string({ unit: 'binary' }), fc.constant('{"__proto__":{"x":1}}'));
const part: fc.Arbitrary<ReplyPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
  fc.record({ type: fc.constant('thinking' as const), text: fc.string() }),
  fc.record({
    type: fc.constant('call' as const),
    id: fc.oneof(fc.string(), fc.constant('same')),
    tool: fc.oneof(fc.constantFrom(...toolNames), fc.string(), fc.constantFrom('__proto__', 'constructor')),
    input,
  }),
);
const count = fc.oneof(fc.nat(10_000), fc.constantFrom(-1, Number.NaN, Infinity, 0.5));
const reply: fc.Arbitrary<ModelReply> = fc.record({
  parts: fc.array(part, { maxLength: 6 }),
  finish: fc.constantFrom('stop', 'calls', 'length', 'refusal', 'other'),
  usage: fc.record({ input: count, output: count, cached: count, reasoning: count }),
  took: count,
});

const ends = ['reported', 'failed', 'asks', 'out-of-budget'];

test('comes to a typed end, and to the same one when it is asked again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 5 }), async (replies) => {
      const folder = await mkdtemp(join(tmpdir(), 'heddle-fuzz-'));
      try {
        const models = new ScriptedModels(...replies, [finish()]);
        const began = performance.now();
        const first = await lead({ folder, models, performed: [] });
        expect(performance.now() - began).toBeLessThan(10_000);
        expect(ends).toContain(first.end === 'cut' ? '' : first.end.kind);
        const asked = models.requests.length;
        const again = await lead({ folder, models, performed: [], run: 'r2' });
        expect(again).toEqual(first);
        expect(models.requests).toHaveLength(asked);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs },
  );
}, 600_000);
