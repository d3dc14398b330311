// The models of a task whose starter looked for none, or for its own: from its plan, else from the worker's environment.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveTaskConfig } from '../../../activities/config/resolve-task-config.ts';
import { findTaskConfig } from '../../../activities/prepare/find-task-config.ts';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';

const keys = { ANTHROPIC_API_KEY: 'k' };

async function configOf(raw: object, env: Record<string, string> = {}, toml?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (toml !== undefined) writeFileSync(join(folder, 'mine.toml'), toml);
  const secrets = new EnvironmentSecrets({
    OLLAMA_HOST: '127.0.0.1:9',
    HOME: '/nowhere',
    PATH: '/nowhere',
    HEDDLE_CONFIG: toml === undefined ? '' : join(folder, 'mine.toml'),
    XDG_CONFIG_HOME: folder,
    ...env,
  });
  const parsed = parsePlan(raw, 'later');
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const config = await resolveTaskConfig(raw, {
    env: secrets.environment,
    workspace: folder,
    root: join(folder, 'home'),
  });
  return findTaskConfig(raw, parsed.plan, { secrets, config, process: undefined });
}

const idsOf = async (...given: Parameters<typeof configOf>): Promise<string[]> =>
  (await configOf(...given)).models.map(({ id }) => id);

const sent = {
  providers: { openai: { kind: 'openai', keyEnv: 'OPENAI_API_KEY' } },
  models: { mine: { provider: 'openai', id: 'gpt-x', tier: 2 } },
};

test("a goal of a bare client gets models of the worker's environment", async () => {
  expect(await idsOf({ goal: 'g' }, keys)).toEqual(['claude-haiku-4-5', 'claude-sonnet-5', 'claude-opus-5-5']);
});

test("the models that a starter sent count, not the worker's environment", async () => {
  expect(await idsOf({ goal: 'g', config: { found: sent } }, keys)).toEqual(['gpt-x']);
});

test("a model of the user's file counts, not those that a starter sent", async () => {
  const toml = '[models.own]\nprovider = "anthropic"\nid = "claude-x"\n';
  expect(await idsOf({ goal: 'g', config: { found: sent } }, keys, toml)).toEqual(['claude-x']);
});

test('a plan whose agents need a model gets one', async () => {
  const plan = { goal: 'g', subtasks: [{ id: 'a', description: 'd', executor: 'agent' }] };
  expect(await idsOf(plan, keys)).toHaveLength(3);
});

test('a plan of commands gets no model', async () => {
  const plan = { goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['true'] } }] };
  expect(await idsOf(plan, keys)).toEqual([]);
});

test('a goal without any model is refused with what is there', async () => {
  await expect(configOf({ goal: 'g' })).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED', seen: [] });
});

test('a goal whose models plan nothing is refused with what is there', async () => {
  const toml = '[models.own]\nprovider = "anthropic"\nid = "claude-x"\nroles = ["executor"]\n';
  await expect(configOf({ goal: 'g' }, keys, toml)).rejects.toMatchObject({
    code: 'MODEL_NOT_CONFIGURED',
    seen: ['ANTHROPIC_API_KEY'],
  });
});
