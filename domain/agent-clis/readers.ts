import type { FailureType } from '../types/basic/failure-types.ts';
import type { OutputName } from '../executors/output-names.ts';
import { readAider } from './read-aider.ts';
import { readClaude } from './read-claude.ts';
import { readCodex } from './read-codex.ts';
import { readGemini } from './read-gemini.ts';
import { readOpencode } from './read-opencode.ts';
import { readPi } from './read-pi.ts';
import type { CliReader } from './reader.ts';

interface Cli {
  read: () => CliReader;
  /** Exit codes with a meaning of their own. */
  exits?: Readonly<Partial<Record<number, FailureType>>>;
  /** The HTTP status that an exit code stands for. */
  readStatus?: (exitCode: number) => number | undefined;
  /** The program's message about a conversation that does not exist (any more). */
  sessionGone?: RegExp;
  /** The variable of its key, if it is the same for every model. */
  keyEnv?: string;
}

/** gemini exits with the status of the service, of which a system keeps the lowest eight bits. */
const readGeminiStatus = (exitCode: number): number | undefined => {
  const status = exitCode + 256;
  return status >= 400 && status < 512 ? status : undefined;
};

export const clis: Readonly<Record<OutputName, Cli>> = {
  claude: { read: readClaude, keyEnv: 'ANTHROPIC_API_KEY', sessionGone: /\bno conversation found with session id\b/i },
  codex: {
    read: readCodex,
    // codex does not read OPENAI_API_KEY.
    keyEnv: 'CODEX_API_KEY',
    sessionGone:
      /\b(?:no rollout found|(?:thread|session|conversation) (?:\S+ )?(?:was )?not found|no (?:saved )?session found)\b/i,
  },
  gemini: {
    read: readGemini,
    keyEnv: 'GEMINI_API_KEY',
    exits: {
      41: 'auth',
      42: 'format-invalid',
      44: 'environment',
      52: 'context-missing',
      53: 'tool-failed',
      55: 'context-missing',
    },
    readStatus: readGeminiStatus,
    sessionGone:
      /\b(?:invalid session identifier|no previous sessions found|session not found|error resuming session)\b/i,
  },
  opencode: { read: readOpencode, sessionGone: /\bsession not found\b/i },
  aider: { read: readAider },
  pi: { read: readPi },
};
