import { Client, Connection } from '@temporalio/client';
import { endProcess } from '../../activities/programs/process-identity.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { openTasksQuery } from '../../domain/names/names.ts';
import { formatCount } from '../../domain/text/text.ts';
import type { HeddleHome } from '../home/home.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { ownVersion, type CodeVersion } from './own-version.ts';
import { readServiceInfo, type ServiceInfo } from './service-info.ts';

/** An idle service has nothing to finish. */
const idleStop = workerLimits.handOver + 2 * workerLimits.server.stopGrace;

/** The service that is ready now, if it runs this code; undefined when none does. One of another version is ended while nothing needs it. */
export async function currentService(
  home: HeddleHome,
  progress: (text: string) => void,
): Promise<ServiceInfo | undefined> {
  const info = readServiceInfo(home);
  if (info === undefined || isCurrent(info)) return info;
  const reason = await whyNotEnded(info);
  if (reason !== undefined) throw outdated(info, reason);
  progress(`The local service runs ${formatVersion(info)}: it is started again`);
  if (!(await endProcess(info, idleStop))) throw outdated(info, 'it does not stop');
  return undefined;
}

/** Refuses one that somebody with another version has started meanwhile. */
export function requireCurrent(info: ServiceInfo): ServiceInfo {
  if (!isCurrent(info)) throw outdated(info, 'another version of Heddle has just started it');
  return info;
}

/** True where it runs the code of this process. */
export function isCurrent({ version, code }: ServiceInfo): boolean {
  const own = ownVersion();
  return version === own.version && code === own.code;
}

/** The reason not to end it, which may be that nobody can tell. */
async function whyNotEnded(info: ServiceInfo): Promise<string | undefined> {
  if (info.background === false) return `\`heddle up\` runs it as process ${info.pid}`;
  try {
    const open = await countOpen(info);
    return open === 0 ? undefined : `${formatCount(open, 'task')} ${open === 1 ? 'is' : 'are'} open`;
  } catch (error) {
    return `its open tasks cannot be counted (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function countOpen({ temporalAddress: address, namespace }: ServiceInfo): Promise<number> {
  const connection = await Connection.connect({ address });
  try {
    return (await new Client({ connection, namespace }).workflow.count(openTasksQuery)).count;
  } finally {
    await connection.close();
  }
}

function outdated(info: ServiceInfo, reason: string): HeddleError {
  return new HeddleError({
    code: 'SERVICE_OUTDATED',
    message: `The local service runs ${formatVersion(info)}, this command is ${formatVersion(ownVersion())}, and ${reason}`,
    where: `process ${info.pid}`,
    hint: 'Let open tasks end, or stop the service with `heddle down --force`: they resume with this version at the next command. `heddle cancel` works meanwhile.',
  });
}

/** For people. */
export const formatVersion = ({ version, code }: Pick<ServiceInfo, keyof CodeVersion>): string =>
  version === undefined
    ? 'an older version'
    : `version ${version}${code === undefined ? '' : ` (${code.slice(0, 8)})`}`;
