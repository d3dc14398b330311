import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { workerLimits } from '../../limits/worker-limits.ts';
import { findAllOnPath } from './find-on-path.ts';
import { runBounded } from './run-bounded.ts';
import { installBinary, temporalVersion } from './temporal-cache.ts';
import { RouteUnavailableError, type RouteContext, type TemporalRoute } from './temporal-route.ts';

const platforms: Partial<Record<string, string>> = { linux: 'linux', darwin: 'darwin' };
const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The answer of the official address, which names the archive. */
const downloadInfo = z.object({ archiveUrl: z.url({ protocol: /^https$/ }) });

/** The official download, asked the way Temporal's SDKs ask, for a fixed version. */
export const fetchByDownload: TemporalRoute = async (context) => {
  const platform = platforms[process.platform];
  const arch = architectures[process.arch];
  if (platform === undefined || arch === undefined)
    throw new RouteUnavailableError('there is no build for this platform');
  const info = await ask(context, new URLSearchParams({ arch, platform, format: 'tar.gz' }));
  context.onProgress('Downloading the Temporal server (40 MB) ...');
  return installBinary(context, temporalVersion, async (folder) => {
    const archive = join(folder, 'temporal.tar.gz');
    await download(context, info.archiveUrl, archive);
    // Only the expected name is unpacked, whatever else the archive holds.
    await runBounded(findAllOnPath('tar', context.env)[0] ?? 'tar', ['-xzf', archive, '-C', folder, 'temporal'], {
      env: context.env,
      timeout: context.timeouts.download,
    });
    return join(folder, 'temporal');
  });
};

async function ask(context: RouteContext, question: URLSearchParams): Promise<z.infer<typeof downloadInfo>> {
  const address = `https://temporal.download/cli/v${temporalVersion}?${question.toString()}`;
  try {
    const answer = await context.fetch(address, { signal: AbortSignal.timeout(context.timeouts.downloadAnswer) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return downloadInfo.parse(await answer.json());
  } catch (error) {
    throw new Error(`it cannot be reached: ${formatReason(error)}`, { cause: error });
  }
}

async function download(context: RouteContext, address: string, target: string): Promise<void> {
  try {
    const answer = await context.fetch(address, { signal: AbortSignal.timeout(context.timeouts.download) });
    if (!answer.ok || answer.body === null) throw new Error(`it answered ${answer.status}`);
    await pipeline(Readable.fromWeb(answer.body), capped(workerLimits.server.downloadBytes), createWriteStream(target));
  } catch (error) {
    throw new Error(`the archive could not be downloaded: ${formatReason(error)}`, { cause: error });
  }
}

function capped(most: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > most) done(new Error(`it is larger than ${most} bytes`));
      else done(null, chunk);
    },
  });
}

/** `fetch` hides why behind "fetch failed". */
function formatReason(error: unknown): string {
  if (error instanceof z.ZodError) return 'the response is not understood';
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
