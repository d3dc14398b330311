// Agent programs as models, with the real programs, against a service on the loopback address: `npm run test:clis`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createModels } from '../../activities/llm/create-models.ts';
import { ModelError, type ModelReply } from '../../activities/llm/ports/model.ts';
import { findProgram } from '../../activities/programs/find-program.ts';
import { EnvironmentSecrets } from '../../activities/redact/secrets.ts';
import { reportsCost } from '../../domain/executors/output-names.ts';
import { cliPrograms, type CliProgram, type Model } from '../../domain/types/llm.ts';
import { memoryClaims } from '../activities/llm/provider/support.ts';
import { endOf, useRig } from '../support/rig.ts';
import { geminiSettings, refuseNetwork } from './alone.ts';
import { startModelServer, written, type Mood } from './model-server.ts';

refuseNetwork();
const folder = mkdtempSync(join(tmpdir(), 'heddle-cli-models-'));
// Side by side: codex makes no sandbox, and so writes no file, from a home inside the folder for temporary files.
const home = join(folder, 'home');
const temporary = join(folder, 'tmp');
mkdirSync(temporary);
mkdirSync(join(home, '.gemini'), { recursive: true });
writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(geminiSettings));

const server = await startModelServer();
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const key = 'sk-no-key-of-anybody';

/** The variables by which each is told where its service is. */
const variables: Readonly<Record<CliProgram, (url: string) => Record<string, string>>> = {
  claude: (url) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url }),
  codex: () => ({ CODEX_API_KEY: key }),
  gemini: (url) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
  opencode: (url) => ({ OPENCODE_CONFIG_CONTENT: openCodeConfig(url) }),
};

const openCodeConfig = (url: string): string =>
  JSON.stringify({ provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: key } } } });

const codexAddress = (url: string): string[] => ['--config', `openai_base_url="${url}/v1"`];

const ids: Readonly<Record<CliProgram, string>> = {
  claude: 'sonnet',
  codex: 'default',
  gemini: 'flash',
  opencode: 'anthropic/claude-sonnet-4-5',
};

function modelOf(program: CliProgram, url: string): Model {
  const args = program === 'codex' ? { args: codexAddress(url) } : {};
  return {
    name: 'thinker',
    id: ids[program],
    provider: { name: 'mine', kind: 'cli', program, ...args },
    tier: 3,
    roles: ['planner', 'verifier'],
    context: 200_000,
    output: 8_000,
    thinking: 'off',
    stream: true,
  };
}

function ask(program: CliProgram, mood: Mood, signal = new AbortController().signal): Promise<ModelReply> {
  const url = server.url(mood, `${program}-model`);
  const environment = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, ...variables[program](url) };
  return createModels({ secrets: new EnvironmentSecrets(environment), store: memoryClaims() }).call({
    model: modelOf(program, url),
    system: 'You plan the work of others.',
    messages: [{ from: 'user', text: 'Plan something.' }],
    tools: [],
    thinking: false,
    maxOutput: 1_000,
    asker: { task: 't1', role: 'planner', turn: 1 },
    signal,
  });
}

const refused = (calling: Promise<ModelReply>): Promise<ModelError> =>
  calling.then(
    (reply) => Promise.reject(new Error(`a reply: ${JSON.stringify(reply)}`)),
    (error: unknown) => (error instanceof ModelError ? error : Promise.reject(error as Error)),
  );

/** Processes that carry the mark of a request, wherever they went. */
const requestsRunning = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'environ'), 'utf8').includes('HEDDLE_MODEL_REQUEST=');
      } catch {
        return false;
      }
    });

const programs = await Promise.all(
  cliPrograms.map((name) => findProgram(name, { path: process.env['PATH'], cwd: folder })),
);
const isMissing = (program: CliProgram): boolean => programs[cliPrograms.indexOf(program)] === undefined;

describe.each(cliPrograms)('%s as a model', (program) => {
  const caller = `${program}-model`;
  if (isMissing(program)) console.warn(`${program} is not on the PATH: its tests do not run`);

  test.skipIf(isMissing(program))(
    'answers with text and tokens, without a tool, and leaves nothing behind',
    async () => {
      const reply = await ask(program, 'goal');
      console.log(program, 'reply', reply.usage, reply.costUsd, 'USD', reply.took, 'ms');
      expect(reply.parts).toEqual([{ type: 'text', text: expect.stringContaining('"subtasks"') as string }]);
      expect(reply.estimated).toBeUndefined();
      expect(reply.costUsd !== undefined).toBe(reportsCost[program]);
      expect(server.tools('goal', caller)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('heddle-request-'))).toEqual([]);
    },
  );

  test.skipIf(isMissing(program))('a wrong key is auth, with the name of the program', async () => {
    const { failure } = await refused(ask(program, 'unauthorized'));
    expect([failure.type, failure.summary]).toEqual(['auth', expect.stringContaining(`${program}: `)]);
    expect(JSON.stringify(failure)).not.toContain(key);
  });

  test.skipIf(isMissing(program))('a request that is too long is context-overflow', async () => {
    expect((await refused(ask(program, 'too-long'))).failure.type).toBe('context-overflow');
  });

  test.skipIf(isMissing(program))('a cancellation ends it with all that it started', async () => {
    await expect(ask(program, 'hang', AbortSignal.timeout(8_000))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(requestsRunning()).toEqual([]);
  });
});

const goalEnvironment = {
  ...variables.claude(server.url('goal', 'claude')),
  ...variables.codex(''),
  ...variables.gemini(server.url('goal', 'gemini')),
  ...variables.opencode(server.url('goal', 'opencode')),
};
const rig = useRig({ env: { HOME: home, TMPDIR: temporary, ...goalEnvironment, ANTHROPIC_API_KEY: key } });

test.each(cliPrograms)(
  '%s plans a goal, does the work and judges it',
  async (program) => {
    if (isMissing(program)) return;
    const workspace = rig.workspace();
    execFileSync('git', ['init', '--quiet', workspace]);
    const address = program === 'codex' ? codexAddress(server.url('goal', 'codex')) : [];
    const toml = [
      `[providers.mine]\nkind = "cli"\nprogram = "${program}"\nargs = ${JSON.stringify(address)}`,
      `[models.thinker]\nprovider = "mine"\nid = "${ids[program]}"\ntier = 3`,
      `[executors.${program}]\nargs = ${JSON.stringify(address)}`,
      // Its variables would lead it to the service of claude.
      program === 'opencode' ? 'set = { OPENCODE_DISABLE_MODELS_FETCH = "1" }' : '',
    ];
    writeFileSync(join(workspace, 'heddle.toml'), toml.join('\n'));
    const task = await rig.start({ goal: 'Say hello', workspace, ladder: [{ tier: 'assigned' }] });
    const end = await endOf(task);
    const attempts = await task.attempts();
    expect(end, JSON.stringify(attempts)).toBe('completed');
    expect(attempts.map(({ subtask, outcome }) => [subtask, outcome])).toEqual([
      ['inspect', 'passed'],
      ['hello', 'passed'],
    ]);
    expect(readFileSync(join(workspace, written), 'utf8')).toContain('hello');
    console.log(program, 'goal', server.requests('goal', program), 'requests');
  },
  240_000,
);
