import { join } from 'node:path';
import { findAllOnPath } from './find-on-path.ts';
import { runBounded } from './run-bounded.ts';
import { goTemporalVersion, installBinary } from './temporal-cache.ts';
import { RouteUnavailableError, type TemporalRoute } from './temporal-route.ts';

/** Builds the server from source: slow, so the last resort. */
export const fetchByGo: TemporalRoute = async (context) => {
  const go = findAllOnPath('go', context.env)[0];
  if (go === undefined) throw new RouteUnavailableError('there is no go on the PATH');
  context.onProgress('Building the Temporal server with Go, which takes about 4 minutes and 250 MB ...');
  return installBinary(context, goTemporalVersion, async (folder) => {
    const env = { ...context.env, GOBIN: folder };
    const module = `github.com/temporalio/cli/cmd/temporal@v${goTemporalVersion}`;
    await runBounded(go, ['install', module], { env, timeout: context.timeouts.go, cwd: folder });
    return join(folder, 'temporal');
  });
};
