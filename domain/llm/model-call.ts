import type { Usage } from '../types/agent.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { ModelRole } from '../types/llm.ts';

/** Who asks a model. Turns count from 1. */
export interface Asker {
  task: string;
  role: ModelRole;
  subtask?: string;
  attempt?: number;
  turn: number;
  /** Tells those apart that ask beside each other about one attempt: judges that vote, a question `aside`. */
  part?: string;
}

/** The part of a question beside the work: a script that plays models answers it, and loses no entry by it. */
export const aside = 'aside';

/**
 * How one request ended. `refusal`: the model did not want to; `cut`: what came of its reply cannot be used; `stopped`: by us, before it
 * was answered. Every other failure by its type: `rate-limited` and `overloaded` are requests that a service refused for now.
 */
export type CallOutcome = 'ok' | 'refusal' | 'cut' | 'stopped' | FailureType;

/** One request to a model as it is counted and logged: nothing of what was said. */
export interface ModelCall {
  asker: Asker;
  /** Its name in `heddle.toml`. */
  model: string;
  outcome: CallOutcome;
  /** Milliseconds until there was a reply, or none. */
  ms: number;
  reply?: { usage: Usage; costUsd: number };
}
