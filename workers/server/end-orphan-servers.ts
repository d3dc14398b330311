import { readdirSync, readFileSync } from 'node:fs';
import { endProcess, isAlive, type ProcessIdentity, readIdentity } from '../../activities/programs/process-identity.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';

/**
 * Ends the servers that a dead supervisor left on this database: two servers on one file both answer and both write.
 * Only for the holder of the home's lock.
 */
export async function endOrphanServers(
  dbFile: string,
  recorded: ProcessIdentity | undefined,
): Promise<ProcessIdentity[]> {
  const orphans = serversOn(dbFile);
  if (recorded !== undefined && isAlive(recorded) && !orphans.some((one) => one.pid === recorded.pid))
    orphans.push(recorded);
  for (const orphan of orphans) {
    const hasEnded = await endProcess(orphan, workerLimits.server.stopGrace).catch(() => false);
    if (!hasEnded) throw stuck(orphan, dbFile);
  }
  return orphans;
}

/** The kill may have come between the start of a server and its record, so the process table is asked too, where it can be read. */
function serversOn(dbFile: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isServerOn(name, dbFile))
    .map((name) => readIdentity(Number(name)))
    .filter((identity) => identity !== undefined);
}

function isServerOn(pid: string, dbFile: string): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return args.includes('start-dev') && args[args.indexOf('--db-filename') + 1] === dbFile;
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return false;
    // Nobody knows what it is: a second server on the same database would be worse than none.
    throw error;
  }
}

function stuck(orphan: ProcessIdentity, dbFile: string): HeddleError {
  return new HeddleError({
    code: 'TEMPORAL_SERVER_STUCK',
    message: `An older Temporal server (process ${orphan.pid}) holds the database and does not stop`,
    where: dbFile,
    hint: `kill -9 ${orphan.pid}`,
  });
}
