import type { Outcome } from '../../domain/types/outcome.ts';
import type { handedOver } from './live-run.ts';
import type { Interrupted } from './open-attempt.ts';

/** One start of an attempt by what its executor runs, from its preparation to the record of its end. */
export interface AttemptStart {
  /** An earlier start was cut off. What is returned ends the attempt without another run of it. */
  afterCrash(interrupted: Interrupted): Promise<Outcome | undefined>;
  execute(): Promise<Outcome | typeof handedOver>;
}
