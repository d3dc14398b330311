import { accessSync, constants, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './home.ts';
import { runBounded } from './run-bounded.ts';

/** The oldest Temporal CLI whose server (1.29) has all that Heddle uses. */
const oldestVersion = [1, 5] as const;
/** A file that was just written may be open in a process that is being forked; it is not for long. */
const busyTries = 5;
const busyWait = 100;

/** The version of a Temporal CLI that runs here; rejects with the reason when it is none. */
export async function probeTemporal(path: string, probe: { env: Environment; timeout: number }): Promise<string> {
  refuseUnusableFile(path);
  const said = await askVersion(path, probe);
  const version = /\d+\.\d+\.\d+\S*/.exec(said)?.[0];
  if (version === undefined) throw new Error(`${path}: --version does not tell a version`);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw new Error(`${path}: version ${version} is too old, ${oldestVersion.join('.')} or newer is needed`);
  }
  return version;
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
