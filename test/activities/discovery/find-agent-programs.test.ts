// Agent programs as models that no config names: which are logged in, by their files and variables alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeProviders } from '../../../activities/discovery/describe-providers.ts';
import { findModels } from '../../../activities/discovery/find-models.ts';
import { checkPlanner } from '../../../domain/config/check-planner.ts';
import { formatChoice, foundLayer } from '../../../domain/config/found-models.ts';
import { addFoundModels, noConfig, resolveConfig } from '../../../domain/config/layers.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { routeModel } from '../../../domain/llm/route-model.ts';
import { cliPrograms, type CliProgram } from '../../../domain/types/llm.ts';
import { installStandIn, logIn } from '../../support/clis/stand-in.ts';

/** A home with some programs, of which some are logged in. Nothing else is on the PATH, and no model server is there. */
function machine(installed: readonly CliProgram[], loggedIn: readonly CliProgram[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-logins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, 'bin');
  for (const program of installed) installStandIn(bin, program);
  const files = loggedIn.flatMap((program) => logIn(folder, program).map((name) => join(folder, name)));
  const env: Record<string, string> = { OLLAMA_HOST: '127.0.0.1:9', PATH: bin, HOME: folder };
  const search = (more: Record<string, string> = {}, options?: { all: boolean }) =>
    findModels({ value: (name) => ({ ...env, ...more })[name] }, options);
  return { env, files, search };
}

test.each(cliPrograms)('%s is a model where it is installed and logged in', async (program) => {
  const { settings, seen } = await machine([program], [program]).search();
  expect(seen).toEqual([program]);
  const { models } = addFoundModels(noConfig(), foundLayer(settings ?? {}));
  for (const role of ['planner', 'verifier', 'extractor', 'compactor'] as const)
    expect(routeModel(models, { role, tier: 3 })?.provider).toMatchObject({ kind: 'cli', program });
  expect(routeModel(models, { role: 'executor', tier: 1 })).toBeUndefined();
  expect(models.at(-1)?.tier).toBe(3);
});

test.each(cliPrograms)(
  '%s without a login serves nothing, and is named with the command that logs in',
  async (program) => {
    const { search, env } = machine([program]);
    const { settings, seen } = await search();
    expect(settings).toBeUndefined();
    expect(seen).toEqual([expect.stringMatching(new RegExp(`^${program} \\(not logged in: \`${program}.*\`\\)$`))]);
    expect(() => checkPlanner([], seen)).toThrow(`${program} (not logged in: `);
    const line = (await describeProviders({ value: (name) => env[name] })).find(
      ({ name }) => name === `program ${program}`,
    );
    expect(line?.detail).toMatch(/: not logged in; log in with `/);
  },
);

test.each(cliPrograms)('a login of %s that cannot be read, or is empty, is none', async (program) => {
  const { search, files } = machine([program], [program]);
  for (const content of ['', '{', '{}', '[]', 'null', '{"tokens":{"access_token":""}}']) {
    for (const file of files) writeFileSync(file, content);
    expect((await search()).settings, content).toBeUndefined();
  }
});

test.each([
  ['claude', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ['codex', 'CODEX_API_KEY'],
] as const)('%s is logged in by %s', async (program, variable) => {
  const { settings } = await machine([program]).search({ [variable]: 'secret-value' });
  expect(Object.keys(settings?.providers ?? {})).toEqual([program]);
  expect(JSON.stringify(settings)).not.toContain('secret-value');
});

test('a key comes before every program, and the programs keep their order', async () => {
  const { search } = machine(cliPrograms, ['gemini', 'codex']);
  expect(Object.keys((await search({ OPENROUTER_API_KEY: 'k' })).settings?.providers ?? {})).toEqual(['openrouter']);
  const { settings } = await search();
  expect(Object.keys(settings?.providers ?? {})).toEqual(['codex']);
  expect(formatChoice(settings ?? { providers: {}, models: {} })).toContain(
    'Using the agent CLI codex, as it is logged in here',
  );
});

test('no content of a login is in what was found', async () => {
  const { search, env } = machine(cliPrograms, cliPrograms);
  const all = [await search({}, { all: true }), await describeProviders({ value: (name) => env[name] })];
  expect(JSON.stringify(all)).not.toContain('token-of-a-login');
});

test('a config that names a model stands alone', async () => {
  const { settings } = await machine(['claude'], ['claude']).search();
  const file = fileLayer({ name: 'heddle.toml', text: '[models.mine]\nprovider = "anthropic"\nid = "x"\n' });
  const { models } = addFoundModels(resolveConfig({ below: [file], above: [] }), foundLayer(settings ?? {}));
  expect(models.map(({ name }) => name)).toEqual(['mine']);
});

const toml = (text: string) => () =>
  resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text })], above: [] }).models.map(({ id, roles }) => [
    id,
    roles,
  ]);

test('a program in a config is a model with its own choice, and serves all roles but the one with tools', () => {
  const models = toml(
    '[providers.mine]\nkind = "cli"\nprogram = "codex"\nargs = ["--profile", "work"]\n[models.m]\nprovider = "mine"\n',
  );
  expect(models()).toEqual([['default', ['planner', 'verifier', 'extractor', 'compactor']]]);
});

test.each([
  ['[providers.mine]\nkind = "cli"\n', 'CONFIG_MODEL_UNFINISHED', '`program` of the provider `mine` is missing'],
  [
    '[providers.mine]\nkind = "cli"\nprogram = "aider"\n',
    'CONFIG_WRONG_TYPE',
    '`claude`, `codex`, `gemini` or `opencode`',
  ],
  [
    '[providers.mine]\nkind = "cli"\nprogram = "claude"\nkeyEnv = "X"\n',
    'CONFIG_MODEL_UNFINISHED',
    '`keyEnv` of the provider',
  ],
  [
    '[providers.mine]\nkind = "cli"\nprogram = "claude"\nbaseUrl = "http://h"\n',
    'CONFIG_MODEL_UNFINISHED',
    '`baseUrl` of the provider',
  ],
  [
    '[providers.mine]\nkind = "anthropic"\nprogram = "claude"\n',
    'CONFIG_MODEL_UNFINISHED',
    'is only for the kind `cli`',
  ],
  ['[providers.mine]\nkind = "cli"\nprogramm = "claude"\n', 'CONFIG_UNKNOWN_KEY', 'programm'],
  [
    '[providers.mine]\nkind = "cli"\nprogram = "claude"\n[models.m]\nprovider = "mine"\nroles = ["executor"]\n',
    'CONFIG_WRONG_TYPE',
    'cannot serve `executor`',
  ],
])('%j is refused as %s', (text, code, words) => {
  expect(toml(text)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) as string }) as Error,
  );
});
