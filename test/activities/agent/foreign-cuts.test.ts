// A process that dies at any moment of a call of a server's tool: sent once, sent again where that does no harm, or asked and told.
import { expect, test } from 'vitest';
import { createForeignTools } from '../../../activities/mcp/foreign-tool.ts';
import type { Hints } from '../../../domain/types/basic/tool-server.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { call, finish, ScriptedModels } from './support.ts';
import { Cutter, lead } from './support-cuts.ts';
import { localTools } from './support-tools.ts';

const name = 'mcp__s__go';
const finishing = localTools.filter((tool) => tool.name === 'finish');

/** A server's world: the keys of the calls that it took, in their order. */
function makeTools(hints: Hints, taken: string[]) {
  return createForeignTools(
    [{ name, description: 'Goes.', input: { type: 'object' }, from: { server: 's', tool: 'go', hints } }],
    {
      connections: {
        timeoutOf: () => 1_000,
        call: (_, { tool, key }) => {
          const text = tool === 'go/settle' ? (taken.includes(key) ? 'done' : 'not-done') : 'gone';
          if (tool === 'go') taken.push(key);
          return Promise.resolve({ content: [{ type: 'text', text }] });
        },
      },
      keyOf: (id) => `k/${id}`,
      gates: { rules: { allow: [`tool:${name}`], ask: [], deny: [] }, allowed: [] },
      onProgress: () => undefined,
      writes: () => false,
    },
  );
}

/** Ends of the second execution, over all moments at which the first one may die. */
async function dieEverywhere(hints: Hints): Promise<{ taken: string[]; end: string; shown: string }[]> {
  const script = (): ScriptedModels => new ScriptedModels([call(name, {})], [finish()]);
  const whole = new Cutter();
  const open = (taken: string[]) => ({ performed: [], tools: [...makeTools(hints, taken), ...finishing] });
  await lead({ ...open([]), folder: await temporaryFolder(), models: script(), cutter: whole });
  const ends: { taken: string[]; end: string; shown: string }[] = [];
  for (let moment = 1; moment <= whole.moments; moment += 1) {
    const [folder, models, taken] = [await temporaryFolder(), script(), [] as string[]];
    const given = { ...open(taken), folder, models };
    await lead({ ...given, cutter: new Cutter(moment) });
    const { end } = await lead({ ...given, run: 'r2' });
    const shown = JSON.stringify(models.requests.at(-1)?.messages ?? []);
    ends.push({ taken, shown, end: end === 'cut' ? end : end.kind });
  }
  expect(ends.length).toBeGreaterThan(15);
  return ends;
}

test('without a hint it is sent at most once, and the model is told where nobody knows', async () => {
  const ends = await dieEverywhere({});
  for (const { taken, end } of ends) expect([taken.length <= 1, end]).toEqual([true, 'reported']);
  expect(ends.some(({ taken, shown }) => taken.length === 1 && shown.includes('It is not known whether'))).toBe(true);
  expect(ends.some(({ taken, shown }) => taken.length === 0 && shown.includes('It is not known whether'))).toBe(true);
});

test('one that may be repeated is sent again under the same key', async () => {
  const ends = await dieEverywhere({ idempotent: true });
  for (const { taken, end } of ends) {
    expect(end).toBe('reported');
    expect(new Set(taken)).toEqual(new Set(['k/1.1']));
    expect(taken.length).toBeLessThanOrEqual(2);
  }
  expect(ends.some(({ taken }) => taken.length === 2)).toBe(true);
});

test('a destructive one is sent at most once, and a person is asked where nobody knows', async () => {
  const ends = await dieEverywhere({ destructive: true });
  for (const { taken } of ends) expect(taken.length).toBeLessThanOrEqual(1);
  expect(ends.some(({ end, taken }) => end === 'asks' && taken.length === 1)).toBe(true);
  for (const { shown } of ends) expect(shown).not.toContain('It is not known whether');
});

test('one that settles is sent exactly once, at whatever moment the process dies', async () => {
  const ends = await dieEverywhere({ destructive: true, settles: true });
  for (const { taken, end } of ends) expect([taken, end]).toEqual([['k/1.1'], 'reported']);
});
