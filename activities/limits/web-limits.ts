/** Limits of requests to the web. Durations are milliseconds. */
export const webLimits = {
  /** One question to a name server, and how often it is asked. */
  lookupTimeout: 3_000,
  lookupTries: 2,
  /** Until the other side has accepted a connection. */
  connectTimeout: 10_000,
  /** Bytes of the headers of a reply. */
  headerBytes: 16 * 1024,
  /** A page with its redirects and retries. A call of the tool may then wait for its text. */
  timeout: 30_000,
  toolTimeout: 2 * 60_000,
  /** Bytes of a body, unpacked. */
  bodyBytes: 64_000_000,
  redirects: 5,
  /** Waits before the second and the third try; a server that asks for a longer wait than `retryAfter` is not waited for. */
  waits: [500, 2_000],
  retryAfter: 5_000,
  /** A page of the same address is not fetched again for this long. */
  fresh: 15 * 60_000,
  /** Characters of an address. */
  url: 4_096,
  /** Characters of the title of a page. */
  title: 300,
  /** Characters that are shown of a page with an error. */
  errorText: 1_000,
} as const;
