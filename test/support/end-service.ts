import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, type ProcessIdentity, readIdentity } from '../../activities/programs/process-identity.ts';

/** A drain waits for running attempts and hands them over. */
export const serviceGrace = 50_000;

/** The processes of a home's service and of its Temporal server, as they are recorded now. */
export function processesOf(home: string): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const [file, key] of [
    ['service.json', undefined],
    ['server.json', 'server'],
  ] as const) {
    try {
      const record = JSON.parse(readFileSync(join(home, 'run', file), 'utf8')) as Record<string, unknown>;
      const { pid } = (key === undefined ? record : record[key]) as { pid: number };
      const identity = readIdentity(pid);
      if (identity !== undefined) found.push(identity);
    } catch {
      // Not there: nothing runs.
    }
  }
  return found;
}

/**
 * The service first, as it would start its server again. It ends its programs and its server by itself. One that is still starting is not
 * recorded yet: it is found by the home that it was given.
 */
export async function endService(home: string): Promise<void> {
  for (const identity of processesOf(home)) await endProcess(identity, serviceGrace);
  for (const identity of startedWith(home)) await endProcess(identity, serviceGrace);
  for (const identity of processesOf(home)) await endProcess(identity, serviceGrace);
}

/** Processes that know this home from their environment; none where the system has no `/proc`. */
function startedWith(home: string): ProcessIdentity[] {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return environment.includes(`HEDDLE_HOME=${home}`)
        ? [readIdentity(pid)].filter((found) => found !== undefined)
        : [];
    } catch {
      // It has ended, or belongs to somebody else.
      return [];
    }
  });
}

export const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
