import type { CommandExecutor } from './command.ts';
import type { OutputName } from './output-names.ts';

/** How an agent program is called: data, seen to work with the versions that docs/agent-clis.md names. */
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
  output: OutputName;
  /** Goes on in the conversation `{session}`, where the program keeps one. */
  resume?: readonly string[];
  env: readonly string[];
  /** Switches that it knows by variables alone. */
  set: Readonly<Record<string, string>>;
}

/** Whether an executor is an agent program that a preset names: Heddle itself says which program that is. */
export const isOfPreset = ({ run: [program], output }: Pick<CommandExecutor, 'run' | 'output'>): boolean =>
  Object.values(presets).some((preset) => preset.output === output && preset.run[0] === program);

export const presetPrograms = (): string[] => Object.values(presets).flatMap(({ run: [program = ''] }) => program);

const proxies = ['HTTPS_PROXY?', 'HTTP_PROXY?', 'NO_PROXY?'];

/*
 * Each may edit files of the workspace and nothing that it would have to ask a person for: there is none at its terminal.
 * More than that (shell commands, other folders) is for the user to allow, by `args` or in the program's own settings.
 * Where a program can be told so, it does not repeat a request itself: Heddle waits durably, and a retry goes on in its conversation.
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
    // Its models have dated names and no aliases: without names the tier chooses how hard its own default model thinks.
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
      // Nothing of its own in the workspace: neither histories nor an index of the code.
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
    // It breaks lines at the width of a terminal that is not there: a completion contract is one line.
    set: { COLUMNS: '10000' },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

export const presetNames = ['claude', 'codex', 'gemini', 'opencode', 'aider'] as const satisfies readonly PresetName[];

/** Names that a plan may use without any config: the presets, and the agent itself. */
export const builtInExecutors = [...presetNames, 'agent'] as const;
