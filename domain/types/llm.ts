import type { Tier } from './subtask.ts';

export type ProviderKind = 'anthropic' | 'openai' | 'openai-compatible' | 'ollama' | 'scripted' | 'cli';

/** Agent programs that can serve as models, in the order in which they are looked for. */
export const cliPrograms = ['claude', 'codex', 'gemini', 'opencode'] as const;

export type CliProgram = (typeof cliPrograms)[number];

/** The role that a model is asked in. */
export type ModelRole = 'planner' | 'executor' | 'verifier' | 'extractor' | 'compactor';

/** Way in which a model is asked for thinking: not at all, by a number of tokens, or by an effort. */
export type ThinkingStyle = 'off' | 'budget' | 'effort';

/** The service that answers. Keys are named, never held. */
export interface Provider {
  name: string;
  kind: ProviderKind;
  /** The variable that holds the key. */
  keyEnv?: string;
  /** Address with the version part, such as `/v1`. */
  baseUrl?: string;
  /** The script of a scripted provider: an absolute path. */
  script?: string;
  /** The agent program of a provider of the kind `cli`. */
  program?: CliProgram;
  /** Further arguments of that program. */
  args?: string[];
}

/** USD for a million tokens. */
export interface Price {
  in: number;
  out: number;
  /** Input that was in the provider's cache; as `in` when absent. */
  cached?: number;
}

/** A model as the config names it, with its provider: frozen in the task. */
export interface Model {
  /** Its name in `heddle.toml`. */
  name: string;
  /** Its name at the provider. */
  id: string;
  provider: Provider;
  tier: Tier;
  roles: ModelRole[];
  /** Tokens of one request and its reply together. */
  context: number;
  /** Tokens of one reply. */
  output: number;
  thinking: ThinkingStyle;
  stream: boolean;
  /** It sees: an image that it reads is shown to it. */
  images?: true;
  price?: Price;
}
