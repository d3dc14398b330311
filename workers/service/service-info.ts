import { readFileSync, rmSync, statSync, utimesSync, writeFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { serviceFiles } from '../../activities/home-layout.ts';
import { isAlive } from '../../activities/programs/process-identity.ts';
import { type HeddleHome, inHome, makeFolder } from '../home/home.ts';

const serviceInfo = z.object({
  temporalAddress: z.string(),
  namespace: z.string(),
  webUi: z.string(),
  pid: z.number(),
  startTime: z.string(),
  taskQueue: z.string(),
});

/** Where the service of a home can be reached. It stands there only while the service is ready. */
export type ServiceInfo = z.infer<typeof serviceInfo>;

const infoFile = (home: Pick<HeddleHome, 'run'>): string => serviceFiles(home.run).info;
const usedFile = (home: Pick<HeddleHome, 'run'>): string => serviceFiles(home.run).lastUsed;

/** The service that is ready now; a record that a killed one left behind counts as none. */
export function readServiceInfo(home: Pick<HeddleHome, 'run'>): ServiceInfo | undefined {
  let text: string;
  try {
    text = readFileSync(infoFile(home), 'utf8');
  } catch {
    return undefined;
  }
  const parsed = serviceInfo.safeParse(parseJson(text));
  return parsed.success && isAlive({ pid: parsed.data.pid, startTime: parsed.data.startTime })
    ? parsed.data
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeServiceInfo(home: Pick<HeddleHome, 'run'>, info: ServiceInfo): void {
  makeFolder(home.run);
  const temporary = `${infoFile(home)}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(info), { mode: 0o600 });
  renameSync(temporary, infoFile(home));
}

export function removeServiceInfo(home: Pick<HeddleHome, 'run'>): void {
  rmSync(infoFile(home), { force: true });
}

/** Every command says that somebody is there: the service counts its idle time from it. */
export function touchLastUsed(home: Pick<HeddleHome, 'run'>): void {
  makeFolder(home.run);
  const now = new Date();
  try {
    utimesSync(usedFile(home), now, now);
  } catch {
    inHome(home.run, () => writeFileSync(usedFile(home), ''));
  }
}

export function readLastUsed(home: Pick<HeddleHome, 'run'>): number {
  return statSync(usedFile(home), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
