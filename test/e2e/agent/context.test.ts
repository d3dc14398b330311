// Long conversations through heddle.toml, the real wires and a real server: folded, not folded, refused by the provider, summarised by a model.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import type { ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import { endOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels, type WireKind } from '../../support/scripted-models.ts';

const rig = useRig();

const turnOf = ({ text }: ScriptedRequest): number => Number([...text.matchAll(/Step (\d+)\./g)].at(-1)?.[1] ?? 0) + 1;

/** About 2,000 tokens a turn. */
const readsUpTo =
  (last: number) =>
  (request: ScriptedRequest): ScriptReply => {
    const turn = turnOf(request);
    const text = `Step ${turn}.`;
    return turn > last
      ? { text, ...finishes() }
      : { text, ...calls(['read_file', { path: 'long.txt', from: turn * 100, lines: 100 }]) };
  };

async function start(
  play: (request: ScriptedRequest, nth: number) => ScriptReply,
  { config = '', kind = 'openai-compatible' }: { config?: string; kind?: WireKind } = {},
) {
  const workspace = rig.workspace();
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${'of a long file with words '.repeat(3)}`);
  writeFileSync(join(workspace, 'long.txt'), lines.join('\n'));
  const { url, requests } = await serveScript(play);
  writeModels(workspace, url, { kind, tiers: [1], model: `context = 16000\noutput = 1000\n${config}` });
  const task = await rig.start({
    goal: 'Read it',
    workspace,
    executor: { kind: 'agent', iterations: 100 },
    ladder: [{ tier: 'assigned' }, { person: true }],
    subtasks: [{ id: 'read', description: 'Read long.txt', maxAttempts: 1 }],
  });
  return { task, requests };
}

test.each<WireKind>(['anthropic', 'openai', 'ollama'])('is folded and goes on, on the wire of %s', async (kind) => {
  const { task, requests } = await start(readsUpTo(11), { kind });
  expect(await endOf(task)).toBe('completed');
  expect(requests.at(-1)?.text).toContain('ref:1.1');
  expect(await task.attempts()).toMatchObject([{ outcome: 'passed', attempt: 1, modelCalls: requests.length }]);
});

test('fails at the end of the window with `mode = "off"`', async () => {
  const { task, requests } = await start(readsUpTo(15), { config: '[context]\nmode = "off"' });
  await expect.poll(async () => (await task.status()).state, { timeout: 30_000 }).toBe('waiting');
  expect(await task.attempts()).toMatchObject([{ outcome: 'failed', type: 'context-overflow' }]);
  expect(requests.length).toBeLessThan(10);
  expect(requests.at(-1)?.text).not.toContain('ref:');
});

test('begins where the limits say', async () => {
  const { task, requests } = await start(readsUpTo(4), { config: '[limits]\ncontextSoft = 0.3\ncontextTarget = 0.2' });
  expect(await endOf(task)).toBe('completed');
  expect(requests.at(-1)?.text).toContain('ref:1.1');
});

test('is asked once more when the provider says that it is too large', async () => {
  let refused = 0;
  const { task, requests } = await start((request) => {
    if (turnOf(request) !== 4 || refused > 0) return readsUpTo(5)(request);
    refused += 1;
    return { status: 400, text: 'prompt is too long: 9000 tokens > 8000 maximum' };
  });
  expect(await endOf(task)).toBe('completed');
  const [first, second] = requests.filter((request) => turnOf(request) === 4).map(({ text }) => text.length);
  expect((second ?? 0) / (first ?? 1)).toBeLessThan(0.6);
  expect(await task.attempts()).toMatchObject([{ outcome: 'passed', attempt: 1, modelCalls: 6 }]);
});

test('is summarised by the model of the role `compactor`, which stands in the attempt with its price', async () => {
  const summarises =
    '[models.brief]\nprovider = "local"\nid = "brief"\nroles = ["compactor"]\nprice = { in = 1, out = 1 }\n';
  const notes = (request: ScriptedRequest): ScriptReply => {
    if (request.body['model'] === 'brief') return { text: 'Many facts were noted.' };
    const turn = turnOf(request);
    const text = `Step ${turn}.`;
    return turn > 90
      ? { text, ...finishes() }
      : { text, ...calls(['note', { text: `${turn} ${'a fact '.repeat(80)}` }]) };
  };
  const { task, requests } = await start(notes, { config: `roles = ["executor"]\n${summarises}` });
  expect(await endOf(task)).toBe('completed');
  const asked = requests.filter(({ body }) => body['model'] === 'brief').length;
  expect(asked).toBeGreaterThan(0);
  expect(requests.at(-1)?.text).toContain('Many facts were noted.');
  expect(await task.attempts()).toMatchObject([
    { modelCalls: requests.length, models: [{ model: 'tier1' }, { model: 'brief', calls: asked }] },
  ]);
});
