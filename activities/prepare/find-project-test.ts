import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { lockFiles, projectTests, testFiles } from '../../domain/checks/project-test.ts';
import type { ProjectTest } from '../../domain/types/planner.ts';
import { resolveLinks } from '../files/resolve-links.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findProgram } from '../programs/find-program.ts';

/**
 * Finds the command with which the project in a folder tests itself, where its program is installed. Files are read and nothing runs. What is
 * too large, broken, or a link out of the folder names no command.
 */
export async function findProjectTest(workspace: string, path: string | undefined): Promise<ProjectTest | undefined> {
  const texts = new Map<string, string>();
  for (const file of testFiles) {
    const text = await readInside(workspace, file);
    if (text !== undefined) texts.set(file, text);
  }
  const names = new Set<string>();
  for (const file of lockFiles) if (await isThere(join(workspace, file))) names.add(file);
  for (const test of projectTests(texts, names)) {
    const [program = ''] = test.command.split(' ');
    if ((await findProgram(program, { path, cwd: workspace })) !== undefined) return test;
  }
  return undefined;
}

async function readInside(workspace: string, file: string): Promise<string | undefined> {
  const real = resolveLinks(file, workspace);
  if (!real.startsWith(`${workspace}${sep}`)) return undefined;
  return readSmall(real).catch(() => undefined);
}

/** A regular file of at most so many bytes as text. It never waits for the writer of a named pipe, nor follows a link that was put there since. */
async function readSmall(real: string): Promise<string | undefined> {
  const most = activityLimits.planner.testFile;
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(most + 1), position: 0 });
    const bytes = buffer.subarray(0, bytesRead);
    return bytesRead > most || bytes.includes(0) ? undefined : bytes.toString();
  } finally {
    await file.close();
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
