import type { Outcome } from '../../domain/types/outcome.ts';
import type { handedOver } from './live-execution.ts';
import type { Interrupted } from './open-attempt.ts';

/** One execution of an attempt by the kind of its executor, from its preparation to the record of its end. */
export interface AttemptExecution {
  /** Called when an earlier execution was cut off. An outcome ends the attempt without another start of its executor. */
  afterCrash(interrupted: Interrupted): Promise<Outcome | undefined>;
  execute(): Promise<Outcome | typeof handedOver>;
}
