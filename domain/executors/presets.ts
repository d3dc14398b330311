import type { CommandExecutor } from './command.ts';
import type { OutputName } from './output-names.ts';

/** The command line of an agent program, as data. docs/agent-clis.md names the versions that it was tested with. */
export interface Preset {
  /** Program and arguments, without model and prompt. */
  run: readonly string[];
  /** Arguments for a named model. */
  model: readonly string[];
  /** Models by tier, under names that the program keeps up to date itself. */
  models?: readonly string[];
  /** Arguments by tier when no models are named. */
  otherwise?: { args: readonly string[]; values: readonly string[] };
  thinking: readonly string[];
  /** Arguments after everything else. */
  last: readonly string[];
  prompt: CommandExecutor['prompt'];
  output: OutputName;
  /** Arguments that continue the conversation `{session}`, if the program keeps one. */
  resume?: readonly string[];
  env: readonly string[];
  /** Switches that the program reads from variables alone. */
  set: Readonly<Record<string, string>>;
}

/** Recognises an agent program of a preset, which Heddle itself names. */
export const isOfPreset = ({ run: [program], output }: Pick<CommandExecutor, 'run' | 'output'>): boolean =>
  Object.values(presets).some((preset) => preset.output === output && preset.run[0] === program);

export const presetPrograms = (): string[] => Object.values(presets).flatMap(({ run: [program = ''] }) => program);

const proxies = ['HTTPS_PROXY?', 'HTTP_PROXY?', 'NO_PROXY?'];

/*
 * Each program may edit files of the workspace and nothing that it would need a person for, since nobody is at its terminal. The user can
 * allow more (shell commands, other folders), by `args` or in the program's own settings. If a program can be told not to repeat a request
 * itself, it is: Heddle waits durably, and a retry continues its conversation.
 */
export const presets = {
  claude: {
    run: ['claude', '--print', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
    model: ['--model', '{model}'],
    models: ['haiku', 'sonnet', 'opus'],
    thinking: ['--effort', 'high'],
    last: [],
    prompt: 'stdin',
    output: 'claude',
    resume: ['--resume', '{session}'],
    env: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_AUTH_TOKEN?',
      'ANTHROPIC_BASE_URL?',
      'CLAUDE_CODE_OAUTH_TOKEN?',
      'CLAUDE_CODE_MAX_RETRIES?',
      'CLAUDE_CONFIG_DIR?',
      ...proxies,
    ],
    set: { CLAUDE_CODE_MAX_RETRIES: '0', DISABLE_AUTOUPDATER: '1' },
  },
  codex: {
    run: ['codex', 'exec', '--json', '--sandbox', 'workspace-write', '--skip-git-repo-check', '--color', 'never'],
    model: ['--model', '{model}'],
    // Its models have dated names and no aliases: without names the tier sets the reasoning effort of its default model.
    otherwise: { args: ['--config', 'model_reasoning_effort="{model}"'], values: ['low', 'medium', 'high'] },
    thinking: ['--config', 'model_reasoning_effort="high"'],
    last: ['-'],
    prompt: 'stdin',
    output: 'codex',
    resume: ['resume', '{session}'],
    env: ['CODEX_API_KEY?', 'OPENAI_API_KEY?', 'CODEX_HOME?', ...proxies],
    set: {},
  },
  gemini: {
    run: ['gemini', '--output-format', 'stream-json', '--approval-mode', 'auto_edit', '--skip-trust'],
    model: ['--model', '{model}'],
    models: ['flash-lite', 'flash', 'pro'],
    thinking: [],
    last: [],
    prompt: 'stdin',
    output: 'gemini',
    resume: ['--resume', '{session}'],
    env: [
      'GEMINI_API_KEY?',
      'GOOGLE_API_KEY?',
      'GOOGLE_GEMINI_BASE_URL?',
      'GOOGLE_CLOUD_PROJECT?',
      'GOOGLE_CLOUD_LOCATION?',
      'GOOGLE_APPLICATION_CREDENTIALS?',
      'GOOGLE_GENAI_USE_VERTEXAI?',
      ...proxies,
    ],
    set: {},
  },
  opencode: {
    run: ['opencode', 'run', '--format', 'json'],
    model: ['--model', '{model}'],
    models: ['anthropic/claude-haiku-4-5', 'anthropic/claude-sonnet-4-5', 'anthropic/claude-opus-4-5'],
    thinking: ['--variant', 'high'],
    last: [],
    prompt: 'stdin',
    output: 'opencode',
    resume: ['--session', '{session}'],
    env: [
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
    set: { OPENCODE_PERMISSION: '{"bash":"deny","external_directory":"deny"}', OPENCODE_DISABLE_AUTOUPDATE: '1' },
  },
  aider: {
    run: [
      'aider',
      '--yes-always',
      '--no-auto-commits',
      '--no-dirty-commits',
      '--no-gitignore',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-detect-urls',
      '--no-pretty',
      '--no-stream',
      '--no-analytics',
      '--analytics-log',
      '{resultFile}',
      // aider writes nothing of its own into the workspace: neither histories nor an index of the code.
      '--chat-history-file',
      '/dev/null',
      '--input-history-file',
      '/dev/null',
      '--map-tokens',
      '0',
    ],
    model: ['--model', '{model}'],
    models: ['haiku', 'sonnet', 'opus'],
    thinking: ['--reasoning-effort', 'high'],
    last: ['--message-file', '{promptFile}'],
    prompt: 'file',
    output: 'aider',
    env: [
      'ANTHROPIC_API_KEY?',
      'ANTHROPIC_API_BASE?',
      'OPENAI_API_KEY?',
      'OPENAI_API_BASE?',
      'GEMINI_API_KEY?',
      'DEEPSEEK_API_KEY?',
      'OPENROUTER_API_KEY?',
      ...proxies,
    ],
    // aider breaks lines at the terminal's width, but a completion contract must be one line.
    set: { COLUMNS: '10000' },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

export const presetNames = ['claude', 'codex', 'gemini', 'opencode', 'aider'] as const satisfies readonly PresetName[];

/** Executors that a plan may use without any config: the presets, and the agent itself. */
export const builtInExecutors = [...presetNames, 'agent'] as const;
