import { endProcess } from '../../activities/programs/process-identity.ts';
import type { UpInfo } from '../../client/ports/service.ts';
import { heddleHome, homeOfAnyVersion, type HeddleHome } from '../home/home.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { findServing } from '../serve/api-record.ts';
import { settledService } from '../service/claim-home.ts';
import { readServiceProcess, type ServiceInfo } from '../service/service-info.ts';
import { ensureService } from '../service/start-service.ts';
import { loadSettings, serviceEnvironment, type Settings } from '../settings/settings.ts';
import { describeConsole } from './describe-console.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the service of the home, or starts it. */
export async function upInBackground(env: Environment, cwd: string, progress: (text: string) => void): Promise<UpInfo> {
  return toUpInfo(heddleHome(env), await startService(env, await loadSettings(env, cwd), progress));
}

export const startService = (
  env: Environment,
  settings: Settings,
  progress: (text: string) => void,
): Promise<ServiceInfo> => ensureService(heddleHome(env), serviceEnvironment(env, settings), progress);

/** The service, and its console where it serves one. */
export function toUpInfo(home: HeddleHome, { temporalAddress, webUi, pid }: ServiceInfo): UpInfo {
  const serving = findServing(home);
  return { ...describeConsole(home, serving?.pid === pid ? serving : undefined), temporalAddress, webUi, pid };
}

/** Ends a service of any version. False when none runs. */
export async function down(env: Environment, cwd: string): Promise<boolean> {
  const settings = await loadSettings(env, cwd);
  const home = homeOfAnyVersion(env);
  const running = readServiceProcess(home) ?? (await settledService(home));
  if (running === undefined) return false;
  await endProcess(running, downDeadline(settings));
  return true;
}

/** A drain waits for running attempts and hands over the rest; then the server stops. */
const downDeadline = (settings: Settings): number =>
  settings.grace + workerLimits.handOver + 2 * workerLimits.server.stopGrace;
