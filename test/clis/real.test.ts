// The presets with the real programs, against a service of models on the loopback address. `npm run test:clis` starts it in a network
// namespace that has nothing else; a program that is not on the PATH is skipped, and said to be.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../activities/programs/find-program.ts';
import type { PlanInput } from '../../client/index.ts';
import { reportsCost } from '../../domain/executors/output-names.ts';
import type { PresetName } from '../../domain/executors/presets.ts';
import { isEvent } from '../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';
import { geminiSettings, refuseNetwork } from './alone.ts';
import { startModelServer, written, type ModelServer, type Mood } from './model-server.ts';

refuseNetwork();

const folder = mkdtempSync(join(tmpdir(), 'heddle-clis-'));
// Side by side: codex makes no sandbox, and so writes no file, from a home inside the folder for temporary files.
const home = join(folder, 'home');
const temporary = join(folder, 'tmp');
const key = 'sk-no-key-of-anybody';
const rig = useRig({
  env: { HOME: home, TMPDIR: temporary, CODEX_API_KEY: key, GEMINI_API_KEY: key },
});

/** How each is told where its service is, and that it calls nobody else. */
const wiring: Record<PresetName, (url: string) => string> = {
  claude: (url) => claudeWith('ANTHROPIC_API_KEY', url),
  codex: (url) => `args = ["--config", 'openai_base_url="${url}/v1"']`,
  gemini: (url) => `set = { GOOGLE_GEMINI_BASE_URL = "${url}" }`,
  opencode: (url) =>
    `set = { ANTHROPIC_API_KEY = "${key}", ANTHROPIC_BASE_URL = "${url}/v1", OPENCODE_DISABLE_MODELS_FETCH = "1" }`,
  aider: (url) =>
    `set = { ANTHROPIC_API_KEY = "${key}", ANTHROPIC_API_BASE = "${url}", LITELLM_LOCAL_MODEL_COST_MAP = "True" }`,
};

/** A limit of a plan is one of a login. */
function claudeWith(variable: 'ANTHROPIC_API_KEY' | 'CLAUDE_CODE_OAUTH_TOKEN', url: string): string {
  return `set = { ${variable} = "${key}", ANTHROPIC_BASE_URL = "${url}", DISABLE_TELEMETRY = "1", DISABLE_ERROR_REPORTING = "1" }`;
}

let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
  mkdirSync(temporary);
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(geminiSettings));
});
afterAll(async () => {
  await models.close();
  rmSync(folder, { recursive: true, force: true });
});

type Subtask = Partial<NonNullable<PlanInput['subtasks']>[number]>;

/** Without a person: what does not go well ends, and is seen. */
const alone: Partial<PlanInput> = { ladder: [{ tier: 'assigned' }, { tier: 'assigned', feedback: true }] };

function planFor(
  cli: PresetName,
  mood: Mood,
  more: Subtask = {},
  config = wiring[cli](models.url(mood, cli)),
): PlanInput {
  const workspace = rig.workspace();
  // aider makes a repository, and a .gitignore, in a folder that has none.
  execFileSync('git', ['init', '--quiet', workspace]);
  writeFileSync(join(workspace, 'heddle.toml'), `[executors.${cli}]\n${config}\n`);
  const description = `Create the file ${written} with one friendly line.`;
  return { goal: 'Say hello', workspace, subtasks: [{ id: 'work', description, executor: cli, ...more }] };
}

/** Processes of a task, wherever they went. */
function processesOf(taskId: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'environ'), 'utf8').includes(`HEDDLE_TASK_ID=${taskId}\0`);
      } catch {
        return false;
      }
    });
}

const names = ['claude', 'codex', 'gemini', 'opencode', 'aider'] as const;
const found = await Promise.all(names.map((name) => findProgram(name, { path: process.env['PATH'], cwd: folder })));

describe.each(names)('%s', (cli) => {
  const isThere = found[names.indexOf(cli)] !== undefined;
  if (!isThere) console.warn(`${cli} is not on the PATH: its tests do not run`);

  test.skipIf(!isThere)('does its work, with tokens, and its cost where it tells it', async () => {
    const plan = planFor(cli, 'write', { deliverables: [written] });
    const task = await rig.start({ ...plan, ...alone });
    const end = await endOf(task);
    const [attempt] = await task.attempts();
    expect(end, JSON.stringify(attempt)).toBe('completed');
    console.log(cli, 'success', attempt?.costUsd, 'USD', attempt?.tokens, 'tokens');
    expect(attempt?.tokens).toBeGreaterThan(0);
    if (reportsCost[cli]) expect(attempt?.costUsd).toBeGreaterThan(0);
    else expect(attempt?.costUsd).toBeNull();
    // Nothing of its own stays in the workspace.
    expect(readdirSync(plan.workspace ?? '').sort()).toEqual(['.git', 'heddle.toml', written]);
  });

  test.skipIf(!isThere)('asks a person about a wrong key after one run', async () => {
    const task = await rig.start(planFor(cli, 'unauthorized'));
    await eventOf(task, decisionOpened('work-1'));
    const attempts = await task.attempts();
    console.log(cli, 'wrong key', models.requests('unauthorized', cli), 'requests');
    expect(attempts).toMatchObject([{ type: 'auth' }]);
    await task.cancel();
  });

  test.skipIf(!isThere)('waits for a rate limit without an attempt', async () => {
    const task = await rig.start({ ...planFor(cli, 'rate-limit', { deliverables: [written] }), ...alone });
    await until(() => models.requests('rate-limit', cli) > 0, 60_000);
    models.turn('rate-limit', cli, 'write');
    const end = await endOf(task);
    expect(end, JSON.stringify(await task.attempts())).toBe('completed');
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed' }]);
    console.log(cli, 'rate limit', models.requests('rate-limit', cli), 'requests');
  });

  test.skipIf(!isThere)('is ended at its time limit with all that it started', async () => {
    const task = await rig.start(
      planFor(cli, 'hang', { maxAttempts: 1 }, `${wiring[cli](models.url('hang', cli))}\ntimeout = "25s"`),
    );
    await eventOf(task, decisionOpened('work-1'));
    expect(await task.attempts()).toMatchObject([{ type: 'timeout' }]);
    expect(processesOf(task.id)).toEqual([]);
    await task.cancel();
  });

  test.skipIf(!isThere || cli === 'aider')('goes on in its conversation after feedback', async () => {
    const verify = [`test -e again || { touch again; exit 1; }`];
    const task = await rig.start({ ...planFor(cli, 'write', { verify }), ...alone });
    const end = await endOf(task);
    expect(end, JSON.stringify(await task.attempts())).toBe('completed');
    const [first, second] = await task.attempts();
    console.log(cli, 'conversation', first?.session?.id, second?.session);
    expect(second?.session).toMatchObject({ continued: true });
    expect(second?.session?.lost).toBeUndefined();
  });
});

/** How each is told to repeat no request itself, as docs/agent-clis.md has it; the preset of claude does it. */
const once: Record<'claude' | 'codex' | 'gemini', (url: string) => string> = {
  claude: wiring.claude,
  codex(url) {
    const provider = `name="OpenAI", requires_openai_auth=true, request_max_retries=0, stream_max_retries=0, base_url="${url}/v1"`;
    const args = ['--config', 'model_provider="once"', '--config', `model_providers.once={${provider}}`];
    return `args = ${JSON.stringify(args)}`;
  },
  gemini(url) {
    const resigned = join(folder, 'resigned');
    const general = { ...geminiSettings.general, maxAttempts: 1 };
    mkdirSync(join(resigned, '.gemini'), { recursive: true });
    writeFileSync(join(resigned, '.gemini', 'settings.json'), JSON.stringify({ ...geminiSettings, general }));
    return `set = { GOOGLE_GEMINI_BASE_URL = "${url}", HOME = "${resigned}" }`;
  },
};

describe.each(['claude', 'codex', 'gemini'] as const)('%s', (cli) => {
  test.skipIf(found[names.indexOf(cli)] === undefined)('asks once where its own retries are off', async () => {
    const caller = `${cli}-once`;
    // With its weakest model limited, gemini asks the next one by itself.
    const plan = planFor(cli, 'rate-limit', { tier: 2 }, once[cli](models.url('rate-limit', caller)));
    const task = await rig.start({ ...plan, ladder: [{ tier: 'assigned', retry: { maximumAttempts: 1 } }] });
    expect(await endOf(task)).toBe('failed');
    expect(await task.attempts()).toMatchObject([{ type: 'rate-limited' }]);
    expect(models.requests('rate-limit', caller)).toBe(1);
  });
});

describe.each(['claude', 'codex'] as const)('%s', (cli) => {
  test.skipIf(found[names.indexOf(cli)] === undefined)('waits for the limit of a plan, and asks nobody', async () => {
    const url = models.url('plan-limit', cli);
    const config = cli === 'claude' ? claudeWith('CLAUDE_CODE_OAUTH_TOKEN', url) : wiring.codex(url);
    const task = await rig.start({ ...planFor(cli, 'plan-limit', {}, config) });
    expect(await eventOf(task, isEvent('attempt.suspended'))).toMatchObject({ why: 'wait', attempt: 1 });
    const { subtasks, decisions } = await task.status();
    expect(decisions).toEqual([]);
    expect(Date.parse(subtasks[0]?.notBefore ?? '')).toBeGreaterThan(Date.now());
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  });
});

const said = [
  ...names.map((cli) => [cli, 'too-long', 'context-overflow'] as const),
  ...(['claude', 'gemini', 'opencode'] as const).map((cli) => [cli, 'refuses', 'safety'] as const),
  // These show no more of it than that nothing was said.
  ...(['codex', 'aider'] as const).map((cli) => [cli, 'refuses', 'empty-output'] as const),
];

test.each(said.filter(([cli]) => found[names.indexOf(cli)] !== undefined))(
  '%s: a service that says %s is a failure of the type %s',
  async (cli, mood, type) => {
    const task = await rig.start({ ...planFor(cli, mood), ladder: [{ tier: 'assigned' }] });
    expect(await endOf(task)).toBe('failed');
    expect(await task.attempts()).toMatchObject([{ type }]);
  },
);

test.skipIf(found[0] === undefined)('claude: what it was not allowed to do stands in the record', async () => {
  const task = await rig.start(planFor('claude', 'shell'));
  expect(await endOf(task)).toBe('completed');
  const [attempt] = await task.attempts();
  expect(attempt?.denied).toEqual([{ tool: 'Bash', what: expect.stringContaining('python3 -c') as string }]);
});
