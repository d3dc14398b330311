// One budget over agents that run beside each other: counted where the requests arrive.
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';

const rig = useRig();

const five = ['a', 'b', 'c', 'd', 'e'];
const three = ['a', 'b', 'c'];

/** Agents that each write three files, one a turn, and report; `usage` is what each reply costs. */
async function startAgents(
  ids: readonly string[],
  rest: Partial<PlanInput>,
  usage: ScriptReply['usage'] = { input: 1_000, output: 100 },
) {
  const workspace = rig.workspace();
  let [refused, answered] = [0, 0];
  const { url } = await serveScript((request, nth) => {
    // Trouble that passes: such a request is no model call.
    if (nth % 4 === 2 && refused < 2) {
      refused += 1;
      return { status: 529 };
    }
    answered += 1;
    const done = turnsOf(request.body);
    const id = /Write ([a-e])1/.exec(request.text)?.[1] ?? '';
    const reply = done === 3 ? finishes('written', [`${id}3`]) : calls(['write_file', file(id, done + 1)]);
    return { usage, delay: 30, ...reply };
  });
  writeModels(workspace, url, { model: 'output = 1000' });
  const task = await rig.start({
    goal: 'Write files',
    workspace,
    executor: 'agent',
    maxParallelSubtasks: 5,
    subtasks: ids.map((id) => ({
      id,
      description: `Write ${id}1, ${id}2 and ${id}3`,
      deliverables: [`${id}3`],
    })),
    ...rest,
  });
  return { task, workspace, answered: () => answered };
}

const file = (id: string, n: number) => ({ path: `${id}${n}`, content: `${id} ${n}\n` });

const turnsOf = ({ messages }: Readonly<Record<string, unknown>>): number =>
  Array.isArray(messages) ? (messages as { role?: unknown }[]).filter(({ role }) => role === 'assistant').length : 0;

test('ten model calls are never exceeded by five agents beside each other, and a person raises the limit', async () => {
  const { task, workspace, answered } = await startAgents(five, { budget: { modelCalls: 10 } });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-modelCalls-1', kind: 'budget' });
  expect(answered()).toBe(10);
  const { budget } = await task.status();
  expect(budget['modelCalls']).toMatchObject({ limit: 10, used: 10 });
  await task.decide({ decisionId: decision.id, option: 'raise', value: '40' });
  expect(await endOf(task)).toBe('completed');
  for (const id of five) for (const n of [1, 2, 3]) expect(existsSync(join(workspace, `${id}${n}`))).toBe(true);
  const attempts = await task.attempts();
  expect(attempts.map(({ subtask, attempt, modelCalls }) => [subtask, attempt, modelCalls]).sort()).toEqual(
    five.map((id) => [id, 1, 4]),
  );
  expect(answered()).toBe(20);
});

test('with `onExhausted: stop` the task ends with its code instead of a question', async () => {
  const { task, answered } = await startAgents(three, { budget: { modelCalls: 6, onExhausted: 'stop' } });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ state: 'failed', code: 'BUDGET_EXHAUSTED', decisions: [] });
  expect(answered()).toBeLessThanOrEqual(6);
});

test('a budget of money is exceeded by no more than the calls in flight', async () => {
  // Each call costs 0.02 USD: three of them are the whole budget.
  const usage = { input: 15_000, output: 1_000 };
  const { task, answered } = await startAgents(three, { budget: { costUsd: 0.06 } }, usage);
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-costUsd-1', kind: 'budget' });
  const { budget } = await task.status();
  const { used = 0 } = budget['costUsd'] ?? {};
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual(0.06 + three.length * 0.02);
  expect(answered()).toBeLessThanOrEqual(3 + three.length);
  await task.cancel();
});
