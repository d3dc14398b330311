import { readFileSync, rmSync, statSync, utimesSync, writeFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { serviceFiles } from '../../activities/home/home-layout.ts';
import { isAlive, type ProcessIdentity } from '../../activities/programs/process-identity.ts';
import { type HeddleHome, inHome, makeFolder } from '../home/home.ts';

const serviceInfo = z.object({
  temporalAddress: z.string(),
  namespace: z.string(),
  webUi: z.string(),
  pid: z.number(),
  startTime: z.string(),
  taskQueue: z.string(),
  /** The code that it runs; services of the time before 0.1.0 do not name it. */
  version: z.string().optional(),
  code: z.string().optional(),
  /** Started by a command, and ends by itself; false for `heddle up`, which somebody looks at. */
  background: z.boolean().optional(),
  /** It encrypts what the server stores. */
  encrypts: z.boolean().optional(),
});

const serviceProcess = serviceInfo.pick({ pid: true, startTime: true });

/** The addresses of a home's service. The file exists only while the service is ready. */
export type ServiceInfo = z.infer<typeof serviceInfo>;

const infoFile = (home: Pick<HeddleHome, 'run'>): string => serviceFiles(home.run).info;
const usedFile = (home: Pick<HeddleHome, 'run'>): string => serviceFiles(home.run).lastUsed;

/** The service that is ready now; a record that a killed one left behind counts as none. */
export function readServiceInfo(home: Pick<HeddleHome, 'run'>): ServiceInfo | undefined {
  return readRecord(home, serviceInfo);
}

/** Its process alone: of a service whose record has a form that only its own version knows, too. */
export function readServiceProcess(home: Pick<HeddleHome, 'run'>): ProcessIdentity | undefined {
  return readRecord(home, serviceProcess);
}

function readRecord<T extends ProcessIdentity>(home: Pick<HeddleHome, 'run'>, form: z.ZodType<T>): T | undefined {
  let record: unknown;
  try {
    record = JSON.parse(readFileSync(infoFile(home), 'utf8'));
  } catch {
    return undefined;
  }
  const parsed = form.safeParse(record);
  return parsed.success && isAlive(parsed.data) ? parsed.data : undefined;
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
