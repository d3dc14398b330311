// The command lines of the presets, word for word, for every tier with and without thinking. `npm run test:clis` runs the real programs
// with them.
import { describe, expect, test } from 'vitest';
import { flagLayer } from '../../../domain/config/flags.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { buildArguments } from '../../../domain/executors/arguments.ts';
import type { Tier } from '../../../domain/types/subtask.ts';

function preset(name: string, ...flags: string[]) {
  const { executors } = resolveConfig({ below: [], above: [flagLayer(flags)] });
  const executor = executors[name];
  if (executor?.kind !== 'command') throw new Error(`no ${name}`);
  return executor;
}

/** The six command lines: tiers 1 to 3, then the same with thinking. */
function lines(name: string, ...flags: string[]): string[] {
  return [false, true].flatMap((thinking) =>
    ([1, 2, 3] satisfies Tier[]).map((tier) =>
      buildArguments(preset(name, ...flags), { tier, thinking, promptFile: '/p', resultFile: '/r' }).join(' '),
    ),
  );
}

const claude = 'claude --print --output-format stream-json --verbose --permission-mode acceptEdits';
const codex = 'codex exec --json --sandbox workspace-write --skip-git-repo-check --color never';
const gemini = 'gemini --output-format stream-json --approval-mode auto_edit --skip-trust';
const opencode = 'opencode run --format json --model anthropic/claude';
const aider =
  'aider --yes-always --no-auto-commits --no-dirty-commits --no-gitignore --no-check-update --no-show-release-notes --no-show-model-warnings --no-detect-urls --no-pretty --no-stream --no-analytics --analytics-log /r --chat-history-file /dev/null --input-history-file /dev/null --map-tokens 0';
const high = '--config model_reasoning_effort="high"';

describe('the command line of', () => {
  test('claude', () => {
    expect(lines('claude')).toEqual([
      `${claude} --model haiku`,
      `${claude} --model sonnet`,
      `${claude} --model opus`,
      `${claude} --model haiku --effort high`,
      `${claude} --model sonnet --effort high`,
      `${claude} --model opus --effort high`,
    ]);
  });

  test('codex, whose own model thinks harder from tier to tier', () => {
    expect(lines('codex')).toEqual([
      `${codex} --config model_reasoning_effort="low" -`,
      `${codex} --config model_reasoning_effort="medium" -`,
      `${codex} ${high} -`,
      `${codex} --config model_reasoning_effort="low" ${high} -`,
      `${codex} --config model_reasoning_effort="medium" ${high} -`,
      `${codex} ${high} ${high} -`,
    ]);
  });

  test('codex with models', () => {
    expect(lines('codex', 'executors.codex.models=["mini","max"]')).toEqual([
      `${codex} --model mini -`,
      `${codex} --model max -`,
      `${codex} --model max -`,
      `${codex} --model mini ${high} -`,
      `${codex} --model max ${high} -`,
      `${codex} --model max ${high} -`,
    ]);
  });

  test('gemini, which has no argument for thinking', () => {
    const three = [`${gemini} --model flash-lite`, `${gemini} --model flash`, `${gemini} --model pro`];
    expect(lines('gemini')).toEqual([...three, ...three]);
  });

  test('opencode', () => {
    expect(lines('opencode')).toEqual([
      `${opencode}-haiku-4-5`,
      `${opencode}-sonnet-4-5`,
      `${opencode}-opus-4-5`,
      `${opencode}-haiku-4-5 --variant high`,
      `${opencode}-sonnet-4-5 --variant high`,
      `${opencode}-opus-4-5 --variant high`,
    ]);
  });

  test('aider', () => {
    expect(lines('aider')).toEqual([
      `${aider} --model haiku --message-file /p`,
      `${aider} --model sonnet --message-file /p`,
      `${aider} --model opus --message-file /p`,
      `${aider} --model haiku --reasoning-effort high --message-file /p`,
      `${aider} --model sonnet --reasoning-effort high --message-file /p`,
      `${aider} --model opus --reasoning-effort high --message-file /p`,
    ]);
  });
});

test('prompts are passed on standard input, to aider in a file', () => {
  expect(['claude', 'codex', 'gemini', 'opencode', 'aider'].map((name) => preset(name).prompt)).toEqual([
    'stdin',
    'stdin',
    'stdin',
    'stdin',
    'file',
  ]);
});

test('each program receives the variables of its own provider when they are set, and proxies', () => {
  const proxies = ['HTTPS_PROXY?', 'HTTP_PROXY?', 'NO_PROXY?'];
  expect(
    Object.fromEntries(['claude', 'codex', 'gemini', 'opencode', 'aider'].map((name) => [name, preset(name).env])),
  ).toEqual({
    claude: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_AUTH_TOKEN?',
      'ANTHROPIC_BASE_URL?',
      'CLAUDE_CODE_OAUTH_TOKEN?',
      'CLAUDE_CODE_MAX_RETRIES?',
      'CLAUDE_CONFIG_DIR?',
      ...proxies,
    ],
    codex: ['CODEX_API_KEY?', 'OPENAI_API_KEY?', 'CODEX_HOME?', ...proxies],
    gemini: [
      'GEMINI_API_KEY?',
      'GOOGLE_API_KEY?',
      'GOOGLE_GEMINI_BASE_URL?',
      'GOOGLE_CLOUD_PROJECT?',
      'GOOGLE_CLOUD_LOCATION?',
      'GOOGLE_APPLICATION_CREDENTIALS?',
      'GOOGLE_GENAI_USE_VERTEXAI?',
      ...proxies,
    ],
    opencode: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_BASE_URL?',
      'OPENAI_API_KEY?',
      'GEMINI_API_KEY?',
      'OPENROUTER_API_KEY?',
      'OPENCODE_CONFIG?',
      'OPENCODE_CONFIG_CONTENT?',
      'OPENCODE_PERMISSION?',
      ...proxies,
    ],
    aider: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_API_BASE?',
      'OPENAI_API_KEY?',
      'OPENAI_API_BASE?',
      'GEMINI_API_KEY?',
      'DEEPSEEK_API_KEY?',
      'OPENROUTER_API_KEY?',
      ...proxies,
    ],
  });
});

test('a preset is changed by models, args, thinking, env, timeout and onCrash', () => {
  const changed = preset(
    'claude',
    'executors.claude.models=["only"]',
    'executors.claude.args=["--allowedTools","Bash(npm test)"]',
    'executors.claude.thinking=["--effort","max"]',
    'executors.claude.env=["GH_TOKEN"]',
    'executors.claude.timeout=5m',
    'executors.claude.onCrash=ask',
  );
  expect(buildArguments(changed, { tier: 3, thinking: true })).toEqual([
    ...claude.split(' '),
    '--model',
    'only',
    '--allowedTools',
    'Bash(npm test)',
    '--effort',
    'max',
  ]);
  expect(changed).toMatchObject({ timeout: 300_000, onCrash: 'ask' });
  expect(changed.env?.at(-1)).toBe('GH_TOKEN');
});

describe('a retry in the conversation of the attempt before', () => {
  const again = (name: string): string =>
    buildArguments(preset(name), { tier: 1, thinking: false, promptFile: '/p', resultFile: '/r', session: 'S1' }).join(
      ' ',
    );

  test('uses the arguments of each program that keeps one', () => {
    expect(['claude', 'codex', 'gemini', 'opencode'].map(again)).toEqual([
      `${claude} --model haiku --resume S1`,
      `${codex} --config model_reasoning_effort="low" resume S1 -`,
      `${gemini} --model flash-lite --resume S1`,
      `${opencode}-haiku-4-5 --session S1`,
    ]);
    expect(again('aider')).not.toContain('S1');
  });
});

test('variables that a preset sets can be changed, and more can be added', () => {
  expect(preset('claude').set).toEqual({ CLAUDE_CODE_MAX_RETRIES: '0', DISABLE_AUTOUPDATER: '1' });
  expect(
    preset('claude', 'executors.claude.set.CLAUDE_CODE_MAX_RETRIES="3"', 'executors.claude.set.NEW=x').set,
  ).toEqual({
    CLAUDE_CODE_MAX_RETRIES: '3',
    DISABLE_AUTOUPDATER: '1',
    NEW: 'x',
  });
});

describe('a program of your own', () => {
  const run = ['agent', '--model={model}', '{thinking}', 'end'];

  test('gets the model of its tier, the last one for the tiers above it, and the arguments of thinking', () => {
    const executor = { run, models: ['s', 'm'], thinking: ['--think', '{model}'] };
    const of = (tier: Tier, thinking: boolean) => buildArguments(executor, { tier, thinking });
    expect(of(1, false)).toEqual(['agent', '--model=s', 'end']);
    expect(of(2, false)).toEqual(['agent', '--model=m', 'end']);
    expect(of(3, true)).toEqual(['agent', '--model=m', '--think', 'm', 'end']);
  });

  test('keeps its own words in braces', () => {
    expect(buildArguments({ run }, { tier: 1, thinking: true })).toEqual(run);
    expect(buildArguments({ run: ['a', '{promptFile}'] }, { tier: 1, thinking: false })).toEqual(['a', '{promptFile}']);
  });

  test('has the arguments of thinking at its end when it has no place for them', () => {
    expect(buildArguments({ run: ['a'], thinking: ['-t'] }, { tier: 1, thinking: true })).toEqual(['a', '-t']);
  });

  test('takes a model with a dollar sign as it is', () => {
    expect(buildArguments({ run, models: ['$&'] }, { tier: 1, thinking: false })[1]).toBe('--model=$&');
  });
});
