import type { Ref } from '../../domain/model/ref.ts';

/** Outcome of a claim: whose it is now, and what the first claimant wrote. */
export interface Claim {
  mine: boolean;
  value: string;
}

/** Where bytes live that the history only refers to. Two operations and no more, so that a backend is small and testable. */
export interface Store {
  /** Keeps bytes under their hash. Durable once it returns; the same bytes again are the same reference. */
  put(bytes: Uint8Array | string): Promise<Ref>;
  /** The bytes behind a reference, checked against it: `STORE_MISSING` or `STORE_DAMAGED` otherwise. */
  get(ref: Ref): Promise<Buffer>;
  /** Writes `value` under `key` unless somebody was first; durable once it returns. A claim is never changed. */
  claim(key: string, value: string): Promise<Claim>;
}
