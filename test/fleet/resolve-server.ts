import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workerLimits } from '../../workers/limits/worker-limits.ts';
import { findAllOnPath } from '../../workers/server/fetch/find-on-path.ts';
import { heddleHome, makeFolder } from '../../workers/home/home.ts';
import { runBounded } from '../../workers/server/fetch/run-bounded.ts';

/** The version that docker-compose.yml names too; a test holds them together. */
export const temporalServerVersion = '1.31.2';

const modules = [
  `go.temporal.io/server/cmd/server@v${temporalServerVersion}`,
  `go.temporal.io/server/cmd/tools/sql@v${temporalServerVersion}`,
];

export interface ServerPrograms {
  server: string;
  sqlTool: string;
}

/** The Temporal server of a fleet and its schema tool, built with Go once and kept in Heddle's cache. */
export async function resolveServer(onProgress: (text: string) => void): Promise<ServerPrograms> {
  const folder = join(heddleHome(process.env).sharedCache, 'temporal-server', temporalServerVersion);
  const programs = { server: join(folder, 'server'), sqlTool: join(folder, 'sql') };
  if (existsSync(programs.server) && existsSync(programs.sqlTool)) return programs;
  const go = findAllOnPath('go', process.env)[0];
  if (go === undefined)
    throw new Error("The fleet's test needs Go on the PATH to build the Temporal server (once, about 4 minutes).");
  onProgress(`Building the Temporal server ${temporalServerVersion} with Go, which takes about 4 minutes, once ...`);
  makeFolder(dirname(folder));
  const staging = mkdtempSync(join(dirname(folder), '.staging-'));
  try {
    const env = { ...process.env, GOBIN: staging };
    await runBounded(go, ['install', ...modules], { env, timeout: workerLimits.server.go, cwd: staging });
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return programs;
}
