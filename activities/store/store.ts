import type { Ref } from '../../domain/types/basic/ref.ts';

/** The subject of a claim. All claims of a task go together when the task is forgotten. */
export interface ClaimKey {
  task: string;
  /** A text of any length and script. */
  name: string;
}

/** Outcome of a claim: whose it is now, and what the first claimant wrote. */
export interface Claim {
  mine: boolean;
  value: string;
}

/**
 * Holds bytes that the history only refers to. The port is small on purpose, so that another backend is small too; its obligations are the
 * suite in test/activities/store/conformance.ts.
 */
export interface Store {
  /** Keeps bytes under their hash. Durable once it returns; the same bytes again are the same reference, and count as used now. */
  put(bytes: Uint8Array | string): Promise<Ref>;
  /** Takes a finished file; afterwards it is no longer where it was. Never holds it in memory. */
  putFile(path: string): Promise<Ref>;
  /** The bytes behind a reference, checked against it: `STORE_MISSING` or `STORE_DAMAGED` otherwise. */
  get(ref: Ref): Promise<Buffer>;
  /** The first bytes, as many as there are. Only the size of the whole is checked: a piece has no hash. */
  head(ref: Ref, bytes: number): Promise<Buffer>;
  /** The last bytes, in the same way. */
  tail(ref: Ref, bytes: number): Promise<Buffer>;
  /** A file with the bytes on this machine, for programs that read it themselves and must not write it. Its size is checked. */
  file(ref: Ref): Promise<string>;
  /** Writes `value` under the key unless somebody was first; durable once it returns. A claim is never changed. */
  claim(key: ClaimKey, value: string): Promise<Claim>;
  /** Reads a claim without taking it; undefined when nobody has it. */
  peek(key: ClaimKey): Promise<string | undefined>;
}
