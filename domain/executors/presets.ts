import type { CommandExecutor } from './command.ts';

/** How an agent program is called: data, from its documentation. docs/configuration.md says that none of them was run here. */
export interface Preset {
  /** Program and arguments, without model and prompt. */
  run: readonly string[];
  /** Added when a model is named. */
  model: readonly string[];
  /** Models by tier, as names that the program keeps up to date itself. */
  models?: readonly string[];
  /** What the tier chooses when no models are named. */
  otherwise?: { args: readonly string[]; values: readonly string[] };
  thinking: readonly string[];
  /** After everything else. */
  last: readonly string[];
  prompt: CommandExecutor['prompt'];
  env: readonly string[];
}

const proxies = ['HTTPS_PROXY?', 'HTTP_PROXY?', 'NO_PROXY?'];

/*
 * Each may edit files of the workspace and nothing that it would have to ask a person for: there is none at its terminal.
 * More than that (shell commands, other folders) is for the user to allow, by `args` or in the program's own settings.
 */
export const presets = {
  claude: {
    run: ['claude', '--print', '--output-format', 'text', '--permission-mode', 'acceptEdits'],
    model: ['--model', '{model}'],
    models: ['haiku', 'sonnet', 'opus'],
    thinking: ['--effort', 'high'],
    last: [],
    prompt: 'stdin',
    env: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_AUTH_TOKEN?',
      'ANTHROPIC_BASE_URL?',
      'CLAUDE_CODE_OAUTH_TOKEN?',
      'CLAUDE_CONFIG_DIR?',
      ...proxies,
    ],
  },
  codex: {
    run: ['codex', 'exec', '--sandbox', 'workspace-write', '--skip-git-repo-check', '--color', 'never'],
    model: ['--model', '{model}'],
    // Its models have dated names and no aliases: without names the tier chooses how hard its own default model thinks.
    otherwise: { args: ['--config', 'model_reasoning_effort="{model}"'], values: ['low', 'medium', 'high'] },
    thinking: ['--config', 'model_reasoning_effort="high"'],
    last: ['-'],
    prompt: 'stdin',
    env: ['OPENAI_API_KEY?', 'CODEX_API_KEY?', 'CODEX_HOME?', ...proxies],
  },
  gemini: {
    run: ['gemini', '--output-format', 'text', '--approval-mode', 'auto_edit'],
    model: ['--model', '{model}'],
    models: ['flash-lite', 'flash', 'pro'],
    thinking: [],
    last: [],
    prompt: 'stdin',
    env: [
      'GEMINI_API_KEY?',
      'GOOGLE_API_KEY?',
      'GOOGLE_CLOUD_PROJECT?',
      'GOOGLE_CLOUD_LOCATION?',
      'GOOGLE_APPLICATION_CREDENTIALS?',
      'GOOGLE_GENAI_USE_VERTEXAI?',
      ...proxies,
    ],
  },
  aider: {
    run: [
      'aider',
      '--yes-always',
      '--no-auto-commits',
      '--no-dirty-commits',
      '--no-gitignore',
      '--no-check-update',
      '--no-pretty',
      '--no-stream',
    ],
    model: ['--model', '{model}'],
    models: ['haiku', 'sonnet', 'opus'],
    thinking: ['--reasoning-effort', 'high'],
    last: ['--message-file', '{promptFile}'],
    prompt: 'file',
    env: [
      'ANTHROPIC_API_KEY?',
      'OPENAI_API_KEY?',
      'GEMINI_API_KEY?',
      'DEEPSEEK_API_KEY?',
      'OPENROUTER_API_KEY?',
      ...proxies,
    ],
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

export const presetNames = ['claude', 'codex', 'gemini', 'aider'] as const satisfies readonly PresetName[];

/** Names that a plan may use without any config: the presets, and the agent itself. */
export const builtInExecutors = [...presetNames, 'agent'] as const;
