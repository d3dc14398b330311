// Questions of agents to people, and the limits of what agents do and say, in whole tasks.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DecisionAnswer } from '../../../domain/types/decision.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const secret = 'sk-live-4f9a8b7c6d5e4f3a2b1c';
const rig = useRig({ env: { LOCAL_KEY: secret } });

const subtasks = [{ id: 'notes', description: 'Write NOTES.md', deliverables: ['NOTES.md'] }];
const write = (content: string): [string, unknown] => ['write_file', { path: 'NOTES.md', content }];

describe('ask_user', () => {
  test.each<{ option: string; given?: Partial<DecisionAnswer>; heard: string }>([
    { option: 'answer', given: { value: 'blue, please' }, heard: 'The person answered: blue, please' },
    { option: 'option-1', heard: 'The person answered: red' },
    { option: 'decline', given: { instruction: 'choose yourself' }, heard: 'The person declined to answer: choose' },
  ])('$option goes on in the same conversation', async ({ option, given = {}, heard }) => {
    const workspace = rig.workspace();
    const { url, requests } = await serveScript([
      calls(write('begun\n'), ['ask_user', { question: 'Which colour?', options: ['red', 'green'] }]),
      calls(write('done\n')),
      finishes('written', ['NOTES.md']),
    ]);
    writeModels(workspace, url);
    const task = await rig.start({ goal: 'Write', workspace, executor: 'agent', subtasks });
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision).toMatchObject({ id: 'notes-1', kind: 'question', problem: 'notes asks: Which colour?' });
    const ids = decision.options.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['answer', 'decline', 'option-1', 'option-2']));
    expect(requests).toHaveLength(1);
    const isAsked = expect.objectContaining({ taskId: task.id, id: 'notes-1', kind: 'question' }) as unknown;
    await expect.poll(async () => (await rig.client.inbox()).items).toContainEqual(isAsked);
    await task.decide({ decisionId: decision.id, option, ...given });
    expect(await endOf(task)).toBe('completed');
    expect(requests).toHaveLength(3);
    expect(requests[1]?.text).toContain(heard);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, modelCalls: 3 }]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'attempt.suspended')).toMatchObject([{ why: 'question', attempt: 1 }]);
  });
});

test('a path outside of the workspace is refused to the model, and said', async () => {
  const workspace = rig.workspace();
  const outside = join(dirname(workspace), 'outside.txt');
  writeFileSync(outside, 'theirs');
  const { url, requests } = await serveScript([
    calls(['read_file', { path: outside }], ['write_file', { path: '../outside.txt', content: 'mine' }]),
    calls(write('done\n')),
    finishes('written', ['NOTES.md']),
  ]);
  writeModels(workspace, url);
  const task = await rig.start({ goal: 'Write', workspace, executor: 'agent', subtasks });
  expect(await endOf(task)).toBe('completed');
  const { items } = await task.allEvents();
  expect(eventsOf(items, 'tool.refused').map(({ tool }) => tool)).toEqual(['read_file', 'write_file']);
  expect(readFileSync(outside, 'utf8')).toBe('theirs');
  expect(requests.map(({ text }) => text).join('')).not.toContain('theirs');
});

test('the fourth rung asks for thinking and for twice the output', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript((_, nth) => finishes(`try ${nth}`));
  writeModels(workspace, url, { kind: 'anthropic', model: 'thinking = "budget"\noutput = 3000\nstream = false' });
  const task = await rig.start({ goal: 'Write', workspace, executor: 'agent', subtasks });
  await eventOf(task, decisionOpened());
  expect(await task.attempts()).toMatchObject([1, 2, 3, 4].map((rung) => ({ rung, thinking: rung === 4 })));
  // Whoever looks at the failures besides has no tools.
  const turns = requests.filter(({ body }) => body['tools'] !== undefined);
  expect(turns.map(({ body }) => body['model'])).toEqual(['model-1', 'model-1', 'model-2', 'model-3']);
  expect(turns.slice(0, 3).map(({ body }) => [body['thinking'], body['max_tokens']])).toEqual(
    Array(3).fill([undefined, 3_000]),
  );
  const { thinking, max_tokens: most } = turns[3]?.body ?? {};
  expect(thinking).toEqual({ type: 'enabled', budget_tokens: 16_000 });
  expect(most).toBe(6_000 + 16_000);
});

test('the key of a provider never leaves the worker but in its header', async () => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, '.env'), `KEY=${secret}\n`);
  const { url, requests } = await serveScript([
    calls(['read_file', { path: '.env' }], ['search_text', { pattern: 'KEY=' }]),
    calls(['narrate', { text: `the key is ${secret}` }], write('done\n')),
    finishes(`found ${secret}`, ['NOTES.md']),
  ]);
  writeModels(workspace, url);
  const config = join(workspace, 'heddle.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('baseUrl', 'keyEnv = "LOCAL_KEY"\nbaseUrl'));
  const task = await rig.start({ goal: 'Write', workspace, executor: 'agent', subtasks });
  expect(await endOf(task)).toBe('completed');
  const [, second, third] = requests;
  expect(second?.text).toContain('[LOCAL_KEY]');
  expect(second?.text).not.toContain(secret);
  expect(JSON.stringify(third?.body)).not.toContain(`KEY=${secret}`);
  const history = historyToJSON(await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory());
  expect(history).not.toContain(secret);
  expect(history).not.toContain(Buffer.from(secret).toString('base64').slice(2, 20));
  const home = dirname(rig.storeFolder);
  const leaks = ['store', 'running'].flatMap((name) => filesWith(join(home, name), secret));
  // What the model itself wrote, without having seen it, is in the private log of the conversation alone.
  expect(leaks.filter((path) => !path.endsWith('.jsonl'))).toEqual([]);
  for (const path of filesWith(join(home, 'running'), 'KEY=')) {
    expect(readFileSync(path, 'utf8')).not.toContain(`KEY=${secret}`);
  }
});

function filesWith(folder: string, text: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}
