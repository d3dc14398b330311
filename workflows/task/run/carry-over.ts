import type { Surplus } from '../../../domain/carried/carried-state.ts';

/** The way of a state to the next run, as far as it has got. */
export class CarryOver {
  /** Stretches of the log that left the state and are not in the store yet. */
  readonly surplus: Surplus[] = [];
  /** Why the store does not take them, in words for people; null when all is well. */
  trouble: string | null = null;
  /** When the store is tried again. */
  notBefore: number | null = null;
}
