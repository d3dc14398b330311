// A script that has no reply left stops its subtask at once, and says what to do; `heddle models --check` asks through the same code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capture } from '../../client/cli/shared/support.ts';
import { main } from '../../../client/cli/main.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { useRig } from '../../support/rig.ts';
import { serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig();

test('a request that no entry fits is never retried: a person is asked, with the way out', async () => {
  const workspace = rig.workspace();
  const provider = '[providers.demo]\nkind = "scripted"\nscript = "script.yaml"\n';
  writeFileSync(join(workspace, 'heddle.toml'), `${provider}[models.demo]\nprovider = "demo"\nid = "demo"\n`);
  const first = '- when: { turn: 1 }\n  reply: { calls: [{ tool: list_folder, input: {} }] }\n';
  writeFileSync(join(workspace, 'script.yaml'), first);
  const task = await rig.start({
    goal: 'g',
    workspace,
    executor: 'agent',
    subtasks: [{ id: 'a', description: 'Do it' }],
  });
  await expect.poll(async () => (await task.status()).decisions.length, { timeout: 20_000 }).toBe(1);
  const [record, ...others] = await task.attempts();
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    outcome: 'failed',
    category: 'never-retry',
    modelCalls: 1,
    summary: 'The script script.yaml has no entry left for executor, subtask a, attempt 1, turn 2.',
    details: 'SCRIPT_EXHAUSTED',
    code: 'SCRIPT_EXHAUSTED',
    suggestedFix: 'Add an entry that fits to the script, or raise `times` of one that is used up.',
  });
  const [decision] = (await task.status()).decisions;
  expect(decision?.problem).toContain('The script needs an entry that fits this request');
  // Corrected while the worker runs: the next attempt reads it anew.
  const report = '{ status: success, notes: done, deliverablesTouched: [] }';
  writeFileSync(
    join(workspace, 'script.yaml'),
    `${first}- when: { attempt: 2 }\n  reply: { calls: [{ tool: finish, input: ${report} }] }\n`,
  );
  await task.decide({ decisionId: 'a-1', option: 'retry' });
  await task.result();
});

test('models --check asks each model for one word by one request, and says what it cost', async () => {
  const folder = rig.workspace();
  const { url, requests } = await serveScript((request) =>
    JSON.stringify(request).includes('model-2') ? { status: 401 } : { text: 'yes', usage: { input: 20, output: 1 } },
  );
  writeModels(folder, url, { tiers: [1, 2] });
  const check = async (...argv: string[]): Promise<{ code: number; text: string }> => {
    const [stdout, stderr] = [capture(), capture()];
    const env = { PATH: process.env['PATH'], HOME: folder, HEDDLE_HOME: join(folder, 'home'), HEDDLE_TRUST: '1' };
    const code = await main(['models', '--check', ...argv], { ...createPorts(env, folder), stdout, stderr });
    return { code, text: stdout.text() };
  };
  const { code, text } = await check('--json');
  expect([code, requests.length]).toEqual([1, 2]);
  const { models } = JSON.parse(text) as { models: unknown[] };
  expect(models).toMatchObject([
    { name: 'tier1', ok: true, tokens: 21, costUsd: 0.000025 },
    { name: 'tier2', ok: false, tokens: 0, costUsd: 0, error: 'The provider local refused the credentials.' },
  ]);
  expect((await check()).text).toMatch(
    /tier1 +ok +.*21 +0\.000025\ntier2 +The provider local refused the credentials\./,
  );
});
