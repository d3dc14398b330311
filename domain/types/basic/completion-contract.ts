import type { FailureType } from './failure-types.ts';

/** A program's report on itself, in its last line of output. */
export interface CompletionContract {
  status: 'success' | 'partial' | 'failed' | 'blocked';
  notes?: string;
  deliverablesTouched?: string[];
  costUsd?: number;
  tokens?: number;
}

/** Something that an agent program was not allowed to do, by its own rules. */
export interface Denial {
  tool: string;
  /** The action that it wanted: a command, a path. */
  what: string;
}

/** Reason that an agent program gives for its failure: facts of its own output, not yet an interpretation. */
export interface CliError {
  /** Text for people, bounded. */
  message: string;
  /** Names that the program or the service behind it gave the error, the most exact first. */
  names: string[];
  /** The type, where a fact of this program says it beyond doubt. */
  type?: FailureType;
  /** Status of HTTP. */
  status?: number;
  /** Wait that the service asked for, in milliseconds. */
  retryAfterMs?: number;
  /** Time at which a plan's limit is lifted, in milliseconds since 1970. */
  resetsAt?: number;
  /** The source of the program's credentials, where that is known. */
  credentials?: CliCredentials;
}

/** The source of an agent program's credentials. */
export interface CliCredentials {
  program: string;
  /** The variable with the key. */
  keyEnv: string;
}

/** An agent program's report on its own run. */
export interface CliFacts {
  /** `done`: it says that it did its work. `failed`: it says that it did not. `none`: it ended without a word about it. */
  end: 'done' | 'failed' | 'none';
  error?: CliError;
  /** Cost in US dollars; absent where nobody knows it. */
  costUsd?: number;
  tokens?: number;
  /** The id of the conversation that the program itself keeps. */
  session?: string;
  denied: Denial[];
}

/** The same with its last words, which are what checks, dependents and the completion contract read. */
export interface CliResult extends CliFacts {
  text: string;
}

/** The conversation that an agent program kept of an attempt. */
export interface CliSession {
  id: string;
  /** It went on in the conversation of the attempt before. */
  continued?: true;
  /** That conversation was gone, so this is a new one. */
  lost?: true;
}
