import type { CliFacts, CompletionContract } from '../types/basic/completion-contract.ts';

/** What an execution was, in facts that the classifier reads. Never an interpretation. */
export interface Execution {
  /** `exited`: see exitCode or signal. `timeout`: our time limit ended it. `crashed`: a worker died in it and the plan says to ask first. */
  end: 'exited' | 'timeout' | 'not-started' | 'crashed';
  exitCode: number | null;
  signal: string | null;
  contract?: CompletionContract;
  /** What an agent program says of its own run; then the end of its text stands where stdout does. */
  cli?: CliFacts;
  /** Last characters of stdout and stderr, bounded. */
  stdoutTail: string;
  stderrTail: string;
}
