import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { readManifest, type Artifact, type ArtifactList, type Removal } from '../../domain/artifacts/artifact.ts';
import { artifactsFile } from '../home/home-layout.ts';
import { ensureFolder } from '../system/durable-file.ts';
import { systemCode } from '../system/system-error.ts';

/** The artifacts in a manifest; none where there is no file. */
export async function loadManifest(path: string): Promise<ArtifactList> {
  try {
    return readManifest(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kept: [], removed: new Map() };
    throw error;
  }
}

/** Gives a task what the task kept that it takes over from. Done once: what the new task kept by then stays. */
export async function inheritArtifacts(root: string, { from, to }: { from: string; to: string }): Promise<void> {
  const { kept } = await loadManifest(artifactsFile(root, from));
  const path = artifactsFile(root, to);
  const own = await loadManifest(path);
  const missing = kept.filter(({ id }) => !own.kept.some((artifact) => artifact.id === id) && !own.removed.has(id));
  if (missing.length > 0) await appendManifest(path, missing);
}

/**
 * Adds lines in one step, on the disk when this returns. Several subtasks, and workers of one home, add to the same file. A crash may have
 * cut off the last line, so each write begins with a line break.
 */
export async function appendManifest(path: string, lines: readonly (Artifact | Removal)[]): Promise<void> {
  await ensureFolder(dirname(path));
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
    await file.datasync();
  } finally {
    await file.close();
  }
}
