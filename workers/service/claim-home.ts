import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync, readdirSync } from 'node:fs';
import { parseStarterPid } from '../../activities/home/home-layout.ts';
import { readIdentity } from '../../activities/programs/process-identity.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { HeddleHome } from '../home/home.ts';
import { tryLock, type HomeLock } from '../home/home-lock.ts';
import { readServiceInfo, readServiceProcess, type ServiceInfo } from './service-info.ts';

/** A service that drains waits for its running attempts; longer than this it is stuck. */
const patience = 90_000;

/** The service of a home, waited for while it starts or stops; undefined when none is there. Starts nothing. */
export async function settledService(home: HeddleHome): Promise<ServiceInfo | undefined> {
  const deadline = Date.now() + patience;
  while (isBeingStarted(home) && readServiceInfo(home) === undefined && Date.now() < deadline) await sleep(100);
  const claim = await claimHome(home);
  if ('service' in claim) return claim.service;
  claim.lock.release();
  return undefined;
}

/** A command that starts one says so by the files for its words, before there is a process that could hold the lock. */
function isBeingStarted({ logs }: Pick<HeddleHome, 'logs'>): boolean {
  if (!existsSync(logs)) return false;
  const starters = readdirSync(logs).map(parseStarterPid);
  return starters.some((pid) => pid !== undefined && readIdentity(pid) !== undefined);
}

/** Only a service of another version writes a record that has a process and cannot be read. */
const unreadable = ({ run }: HeddleHome): HeddleError =>
  new HeddleError({
    code: 'SERVICE_OUTDATED',
    message: 'The local service runs another version of Heddle, and where to reach it cannot be read',
    where: run,
    hint: 'Stop it with `heddle down --force`: open tasks resume when the next command starts it again.',
  });

/** The lock of a home, or the service that holds it once it is ready. Of several that ask at once one gets the lock. */
export async function claimHome(home: HeddleHome): Promise<{ lock: HomeLock } | { service: ServiceInfo }> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    const service = readServiceInfo(home);
    if (service !== undefined) return { service };
    const lock = tryLock(home);
    if (lock !== undefined) return { lock };
    if (readServiceProcess(home) !== undefined && readServiceInfo(home) === undefined) throw unreadable(home);
    await sleep(100);
  }
  throw new HeddleError({
    code: 'SERVICE_STUCK',
    message: 'The service of this home is starting or stopping, and does not finish',
    where: home.run,
    hint: 'Find the process that holds service.lock there, end it, then try again.',
  });
}
