import type { Usage } from '../types/agent.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { ModelRole } from '../types/llm.ts';

/** The origin of a request to a model. Turns count from 1. */
export interface Asker {
  task: string;
  role: ModelRole;
  subtask?: string;
  attempt?: number;
  turn: number;
  /** Distinguishes parallel requests about one attempt: judges that vote, or a question `aside`. */
  part?: string;
}

/** The part of a request that is not the agent's own work: a script that plays models answers it without using up an entry. */
export const aside = 'aside';

/**
 * The end of one request. `refusal`: the model declined; `cut`: the reply is unusable; `stopped`: we stopped it before it was answered.
 * Other failures have their type: `rate-limited` and `overloaded` are requests that a service refused for now.
 */
export type CallOutcome = 'ok' | 'refusal' | 'cut' | 'stopped' | FailureType;

/** One request to a model as it is counted and logged, without any text. */
export interface ModelCall {
  asker: Asker;
  /** The model's name in `heddle.toml`. */
  model: string;
  outcome: CallOutcome;
  /** Milliseconds until the request ended. */
  ms: number;
  reply?: { usage: Usage; costUsd: number };
}
