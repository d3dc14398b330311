import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';
import type { Ask } from '../../domain/types/agent.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';

/** Why the loop stopped. */
export type AgentEnd =
  /** It reported. `text` is the last that it said. */
  | { kind: 'reported'; contract: CompletionContract; text: string }
  | { kind: 'failed'; failure: Failure }
  /** A model could not be asked, which passes: to be tried again after so many milliseconds. */
  | { kind: 'transient'; failure: Failure; waitMs: number; progress: boolean }
  | { kind: 'asks'; asks: Ask }
  | { kind: 'out-of-budget'; keys: string[] }
  /** The task is: nothing more is asked of a model until it goes on. */
  | { kind: 'paused' }
  /** From outside: a cancelled task, a worker that stops. */
  | { kind: 'aborted' };
