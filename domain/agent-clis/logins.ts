import { cliPrograms, type CliProgram } from '../types/llm.ts';
import type { PresetName } from '../executors/presets.ts';

/** A file of a program that holds a login when one of the paths in its JSON has a value. */
export interface LoginFile {
  /** Folders in the user's home; `variable` names another place for the first of them. */
  folder: readonly string[];
  variable?: string;
  file: string;
  /** Paths to values; with none of them the file alone is enough. */
  values: readonly (readonly string[])[];
  /** The only system on which the file says so. */
  platform?: 'darwin';
  /** Another file that must hold a value too. */
  together?: Omit<LoginFile, 'together'>;
}

/** The places that show the login of a program, and the command that logs in. */
interface Login {
  /** Variables that stand for a login. */
  variables: readonly string[];
  files: readonly LoginFile[];
  command: string;
}

const claudeFolder = { folder: ['.claude'], variable: 'CLAUDE_CONFIG_DIR' } as const;
const claudeHome = { folder: [], variable: 'CLAUDE_CONFIG_DIR', file: '.claude.json' } as const;
const geminiFolder = { folder: ['.gemini'] } as const;

/** Without a chosen way to log in gemini refuses to run alone. */
const geminiChoice = { ...geminiFolder, file: 'settings.json', values: [['security', 'auth', 'selectedType']] };

/* Seen with the tested versions: `claude auth status`, `codex login status` and `opencode auth list` agree with these files. */
const logins: Readonly<Record<CliProgram, Login>> = {
  claude: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: [
      { ...claudeFolder, file: '.credentials.json', values: [['claudeAiOauth', 'accessToken']] },
      { ...claudeFolder, file: 'settings.json', values: [['apiKeyHelper']] },
      { ...claudeHome, values: [['primaryApiKey']] },
      // On macOS the login itself is in the keychain. Elsewhere the account stays here after a logout.
      { ...claudeHome, values: [['oauthAccount', 'accountUuid']], platform: 'darwin' },
    ],
    command: 'claude auth login',
  },
  codex: {
    variables: ['CODEX_API_KEY'],
    files: [
      {
        folder: ['.codex'],
        variable: 'CODEX_HOME',
        file: 'auth.json',
        values: [['OPENAI_API_KEY'], ['tokens', 'refresh_token'], ['tokens', 'access_token']],
      },
    ],
    command: 'codex login',
  },
  gemini: {
    variables: ['GEMINI_API_KEY'],
    files: [
      {
        ...geminiFolder,
        file: 'oauth_creds.json',
        values: [['refresh_token'], ['access_token']],
        together: geminiChoice,
      },
      { ...geminiFolder, file: 'gemini-credentials.json', values: [], together: geminiChoice },
    ],
    command: 'gemini',
  },
  opencode: {
    variables: ['ANTHROPIC_API_KEY'],
    // Its preset uses the models of Anthropic.
    files: [{ folder: ['.local', 'share', 'opencode'], file: 'auth.json', values: [['anthropic', 'type']] }],
    command: 'opencode auth login',
  },
};

export const loginOf = (program: CliProgram): Login => logins[program];

/** Decides if a program can answer as a model; the other presets only work. */
export const canAnswer = (name: PresetName): name is CliProgram => (cliPrograms as readonly string[]).includes(name);
