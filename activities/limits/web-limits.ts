/** Limits of requests to the web. Durations are milliseconds. */
export const webLimits = {
  /** One question to a name server, and how often it is asked. */
  lookupTimeout: 3_000,
  lookupTries: 2,
  /** Until the other side has accepted a connection. */
  connectTimeout: 10_000,
  /** Bytes of the headers of a reply. */
  headerBytes: 16 * 1024,
} as const;
