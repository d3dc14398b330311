import type { CliFacts, CompletionContract } from '../types/basic/completion-contract.ts';

/** The facts of an execution that the classifier reads. They are never an interpretation. */
export interface Execution {
  /** `exited`: see exitCode or signal. `timeout`: our time limit ended it. `crashed`: its worker died and the plan says to ask first. */
  end: 'exited' | 'timeout' | 'not-started' | 'crashed';
  exitCode: number | null;
  signal: string | null;
  contract?: CompletionContract;
  /** An agent program's report of its own run; `stdoutTail` is the end of its text then. */
  cli?: CliFacts;
  /** Last characters of stdout and stderr, bounded. */
  stdoutTail: string;
  stderrTail: string;
}
