import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { serviceFiles } from '../../activities/home/home-layout.ts';
import { type HeddleHome, makeFolder } from '../home/home.ts';

const port = z.int().min(1).max(65_535);

const serverRecord = z.object({
  port,
  /** The Web UI itself, which nobody is told of. */
  uiHost: z.ipv4(),
  uiPort: port,
  /** The guard before the Web UI: the address in the links. */
  guardHost: z.ipv4(),
  guardPort: port,
  /** The running server; absent after an orderly stop. */
  server: z.object({ pid: z.int().positive(), startTime: z.string() }).optional(),
});

/** The server of this home as its last supervisor left it: which process, at which addresses. */
export type ServerRecord = z.infer<typeof serverRecord>;

/** Undefined when there is none, or none that can be read: then all is chosen again. */
export function readServerRecord(home: Pick<HeddleHome, 'run'>): ServerRecord | undefined {
  try {
    const parsed = serverRecord.safeParse(JSON.parse(readFileSync(recordFile(home), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Synchronous: between the start of a server and its record there must be nothing to be killed in. */
export function writeServerRecord(home: Pick<HeddleHome, 'run'>, record: ServerRecord): void {
  makeFolder(home.run);
  const file = recordFile(home);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}

function recordFile(home: Pick<HeddleHome, 'run'>): string {
  return serviceFiles(home.run).server;
}
