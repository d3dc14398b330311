import { accessSync, constants, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../home/home.ts';
import { runBounded } from './run-bounded.ts';

/** The oldest server that has all that Heddle uses, and the CLI that brought it. */
const oldest = { server: '1.29', cli: '1.5' };
/** The version that a CLI reports when it was built from source without its release script. */
const unnamed = '0.0.0-DEV';
/** A file that was just written may be open in a process that is being forked; it is not for long. */
const busyTries = 5;
const busyWait = 100;

/** The version of a Temporal CLI that runs here; rejects with the reason when the program is not one. */
export async function probeTemporal(path: string, probe: { env: Environment; timeout: number }): Promise<string> {
  refuseUnusableFile(path);
  const output = await askVersion(path, probe);
  const cli = /\d+\.\d+\.\d+[^\s,]*/.exec(output)?.[0];
  if (cli === undefined) throw new Error(`${path}: --version prints no version`);
  const server = /\bServer (\d+\.\d+\.\d+)/.exec(output)?.[1];
  const named = cli === unnamed ? undefined : cli;
  if (isOlder(server, oldest.server) || (server === undefined && isOlder(named, oldest.cli))) {
    throw new Error(
      `${path}: version ${named ?? `with server ${server ?? ''}`} is too old, ${oldest.cli} or newer is needed`,
    );
  }
  return named ?? `built from source${server === undefined ? '' : ` (server ${server})`}`;
}

function isOlder(version: string | undefined, than: string): boolean {
  const [major = 0, minor = 0] = (version ?? than).split('.').map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

function refuseUnusableFile(path: string): void {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) throw new Error(`${path} does not exist`);
  if (!file.isFile()) throw new Error(`${path} is not a file`);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`${path} is not executable`);
  }
}

async function askVersion(path: string, probe: { env: Environment; timeout: number }): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await runBounded(path, ['--version'], probe);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!reason.includes('ETXTBSY') || tries === busyTries) throw new Error(`${path}: --version ${reason}`);
      await sleep(busyWait);
    }
  }
}
