import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ServerPlace } from '../../../activities/mcp/server-place.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import type { ToolServer } from '../../../domain/types/basic/tool-server.ts';

export const serverFile = fileURLToPath(new URL('../../support/servers/server.mjs', import.meta.url));

/** A server of tests, in one of its modes. */
export const serverIn = (mode: string, given: Partial<ToolServer> = {}): ToolServer => ({
  name: 'test',
  via: { kind: 'program', command: ['node', serverFile, mode] },
  env: [],
  network: false,
  workspace: 'write',
  read: [],
  sandbox: true,
  home: false,
  hints: true,
  optional: false,
  warm: false,
  start: 15_000,
  timeout: 10_000,
  ...given,
});

/** A workspace and a home of a test's own. */
export async function makePlace(variables: Record<string, string> = {}): Promise<ServerPlace & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-servers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [workspace, root] = [join(folder, 'workspace'), join(folder, 'home')];
  await mkdir(workspace);
  await mkdir(root);
  const secrets = new EnvironmentSecrets({ ...process.env, ...variables });
  return {
    ...{ folder, workspace, root, secrets },
    environment: process.env,
    sandbox: { mode: 'auto', network: false },
    hidden: [root],
    mark: `HEDDLE_TEST=${folder}`,
    redactor: Redactor.none,
  };
}

export const never = new AbortController().signal;
