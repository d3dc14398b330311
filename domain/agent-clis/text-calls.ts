import { presets } from '../executors/presets.ts';
import type { CliProgram, Provider } from '../types/llm.ts';

/** The command line that makes an agent program answer one request with text: without tools, and outside of any workspace. */
interface TextCall {
  /** Program and arguments; `{policyFile}` is a file with `policy`. */
  run: readonly string[];
  /** Arguments after everything else. */
  last: readonly string[];
  /** Variables that override all others, so that no setting of the user gives it tools. */
  set: Readonly<Record<string, string>>;
  /** The text of a file that takes its tools away. */
  policy?: string;
}

/* No request of the tested versions had a tool with these arguments: `npm run test:clis` looks at what they send. */
const textCalls: Readonly<Record<CliProgram, TextCall>> = {
  claude: {
    run: ['--print', '--output-format', 'stream-json', '--verbose', '--tools', '', '--strict-mcp-config'],
    last: ['--no-session-persistence'],
    set: {},
  },
  codex: {
    run: [
      ...['exec', '--json', '--sandbox', 'read-only', '--skip-git-repo-check', '--color', 'never', '--ephemeral'],
      ...['shell_tool', 'unified_exec', 'multi_agent', 'apps'].flatMap((feature) => ['--disable', feature]),
      ...['--config', 'web_search="disabled"'],
    ],
    last: ['-'],
    set: {},
  },
  gemini: {
    run: ['--output-format', 'stream-json', '--approval-mode', 'default', '--skip-trust', '--policy', '{policyFile}'],
    last: [],
    set: {},
    policy: '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n',
  },
  opencode: { run: ['run', '--format', 'json'], last: [], set: { OPENCODE_PERMISSION: '{"*":"deny"}' } },
};

/** Names of the variables that a program receives for a request, as for the work of a subtask; `NAME?` may be missing. */
export const listCliVariables = (program: CliProgram): readonly string[] => presets[program].env;

/** Names of the variables that the models of a provider need: its key, or all that its program may read. */
export const listProviderVariables = ({ keyEnv, program }: Provider): string[] => [
  ...(keyEnv === undefined ? [] : [keyEnv]),
  ...(program === undefined ? [] : listCliVariables(program).map((name) => name.replace(/\?$/, ''))),
];

/** The start of a program for one request. */
export interface TextCallStart {
  args: string[];
  /** Variables below those of the user, and above them. */
  below: Readonly<Record<string, string>>;
  above: Readonly<Record<string, string>>;
  policy?: string;
}

/** Builds the start of a program. Without `model` the program chooses its own. */
export function buildTextCall(
  program: CliProgram,
  { model, args = [], policyFile }: { model?: string; args?: readonly string[]; policyFile: string },
): TextCallStart {
  const { run, last, set, policy } = textCalls[program];
  const named = model === undefined ? [] : presets[program].model.map((word) => word.replaceAll('{model}', model));
  return {
    args: [...run, ...named, ...args, ...last].map((word) => (word === '{policyFile}' ? policyFile : word)),
    below: presets[program].set,
    above: set,
    ...(policy === undefined ? {} : { policy }),
  };
}
