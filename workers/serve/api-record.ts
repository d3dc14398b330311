import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { apiFiles } from '../../activities/home/home-layout.ts';
import { isAlive, type ProcessIdentity } from '../../activities/programs/process-identity.ts';
import { makeFolder, type HeddleHome } from '../home/home.ts';

const recordSchema = z.object({
  host: z.string(),
  port: z.int().min(1).max(65_535),
  /** The address of the console for people; that of the API is below it. */
  console: z.string(),
  api: z.string(),
  pid: z.number(),
  startTime: z.string(),
  /** False where nobody gets in by the home's own key. */
  takesKey: z.boolean(),
});

/** Address and process of what serves the API and the console of a home. The record outlives its process, for the port. */
export type ApiRecord = z.infer<typeof recordSchema>;

/** The record as the last server left it; undefined where there is none that can be read. */
export function readApiRecord({ run }: Pick<HeddleHome, 'run'>): ApiRecord | undefined {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(readFileSync(apiFiles(run).record, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The server that answers now. */
export function findServing(home: Pick<HeddleHome, 'run'>): ApiRecord | undefined {
  const record = readApiRecord(home);
  return record !== undefined && isAlive(record) ? record : undefined;
}

export function writeApiRecord({ run }: Pick<HeddleHome, 'run'>, record: ApiRecord): void {
  makeFolder(run);
  const { record: file } = apiFiles(run);
  const part = `${file}.${process.pid}`;
  writeFileSync(part, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(part, file);
}

/** Names the process of a server: a code is for one process, and dies with it. */
export const formatAudience = ({ pid, startTime }: ProcessIdentity): string => `${pid} ${startTime}`;
