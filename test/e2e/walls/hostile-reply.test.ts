// One reply of a hostile model, through a real task: very many calls, two reports, usage that cannot be.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig();

async function run(replies: ScriptReply[], model = '') {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'a'), 'a');
  const { url, requests } = await serveScript(replies);
  writeModels(workspace, url, { model });
  const task = await rig.start({
    goal: 'a test',
    workspace,
    budget: { costUsd: 1_000_000 },
    subtasks: [{ id: 'agent', description: 'do it', executor: 'agent' }],
  });
  const { state } = await task.result();
  return { state, requests, attempts: await task.attempts(), status: await task.status() };
}

const read = (path: string): [string, unknown] => ['read_file', { path }];
const report = (status: string): [string, unknown] => ['finish', { status, notes: status, deliverablesTouched: [] }];

test('10,000 calls in one reply run as far as a reply may, within seconds', async () => {
  const many = calls(...Array.from({ length: 10_000 }, (_, index) => read(`missing-${index}`)));
  const began = performance.now();
  const { state, requests, status } = await run([many, finishes()], 'context = 2000000');
  expect(state).toBe('completed');
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(status.budget['toolCalls']?.used).toBe(32);
  expect(requests.at(-1)?.text.match(/Not run: at most 32 calls run in one reply\./g)).toHaveLength(10_000 - 32);
});

test.each([
  ['success', 'failed'],
  ['failed', 'success'],
])('of two reports in one reply, %s and %s, none is taken', async (first, second) => {
  const { requests, attempts } = await run([calls(report(first), report(second)), finishes()]);
  expect(attempts[0]).toMatchObject({ outcome: 'passed', modelCalls: 2 });
  expect(requests.at(-1)?.text.match(/must be the last call of a reply, and come once/g)).toHaveLength(2);
});

describe('usage that no request can have', () => {
  test.each([1e308, -5, 'NaN', '1e308', null, {}])('%j tokens count as our own estimate', async (tokens) => {
    const usage = { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens };
    const message = {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
    };
    const raw = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage };
    const { state, attempts } = await run([{ raw }, finishes()]);
    expect(state).toBe('completed');
    expect(attempts[0]?.tokens).toBeGreaterThan(100);
    expect(attempts[0]?.tokens).toBeLessThan(20_000);
    expect(attempts[0]?.costUsd).toBeGreaterThan(0);
    expect(attempts[0]?.costUsd).toBeLessThan(1);
  });
});
