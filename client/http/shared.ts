import type { AppParts } from './app-parts.ts';
import { RateLimit } from './limit-rate.ts';

/** State that the requests of one app share, and the parts that it was given. */
export interface Shared {
  readonly parts: AppParts;
  readonly limits: {
    /** By name. */
    readonly requests: RateLimit;
    readonly writes: RateLimit;
    /** By address. */
    readonly badTokens: RateLimit;
  };
}

/** Made once for each app. */
export const createShared = (parts: AppParts): Shared => ({
  parts,
  limits: {
    requests: new RateLimit(20, 1_000),
    writes: new RateLimit(5, 1_000),
    badTokens: new RateLimit(10, 60_000),
  },
});
