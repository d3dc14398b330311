import { readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { AttemptPaths } from '../home/home-layout.ts';

/** Paths of the output of one execution until it is in the store. */
export interface ScratchOutput {
  output: string;
  stdout: string;
}

/** The folder of one start of an attempt: prompt, inputs and output until they are in the store. */
export function scratchFolder(paths: AttemptPaths, run: string): string {
  return join(paths.folder, `${paths.own}.${run}`);
}

/** The file from which programs read the results of their dependencies. It names the attempt, so it also marks all their processes. */
export function inputsFile(paths: AttemptPaths, run: string): string {
  return join(scratchFolder(paths, run), 'inputs.json');
}

export const inputsVariable = 'HEDDLE_INPUTS_FILE';

/** How the environment of every process of the attempt's programs begins an entry, whichever start they belong to. */
export function buildAttemptMark(paths: AttemptPaths): string {
  return `${inputsVariable}=${join(paths.folder, paths.own)}.`;
}

export function scratchOutput(scratch: string): ScratchOutput {
  return { output: join(scratch, 'output.log'), stdout: join(scratch, 'stdout') };
}

/** The file to which an agent program writes its result when it prints none. */
export const resultFile = (scratch: string): string => join(scratch, 'result.jsonl');

/** The file into which a program writes its records of evidence, in JSON lines. */
export const evidenceFile = (scratch: string): string => join(scratch, 'evidence.jsonl');

/** The live log has one name for all starts of an attempt; a link, so that a start that was taken over cannot write into it. */
export async function showLog(paths: AttemptPaths, scratch: string): Promise<void> {
  await unlink(paths.log).catch(() => undefined);
  await symlink(join(basename(scratch), basename(scratchOutput(scratch).output)), paths.log);
}

/** Removes the files of one start, and the live log if it is still this start's. */
export async function removeScratch(paths: AttemptPaths, run: string): Promise<void> {
  const scratch = scratchFolder(paths, run);
  const target = await readlink(paths.log).catch(() => '');
  if (target.startsWith(`${basename(scratch)}/`)) await unlink(paths.log).catch(() => undefined);
  await rm(scratch, { recursive: true, force: true });
}

/** Removes what earlier starts of the attempt left behind when their worker died. */
export async function removeOtherScratch(paths: AttemptPaths, run: string): Promise<void> {
  for (const name of await readdir(paths.folder)) {
    const other = name.startsWith(`${paths.own}.`) ? name.slice(paths.own.length + 1) : '';
    if (/^[0-9a-f]{12}$/.test(other) && other !== run) await removeScratch(paths, other);
  }
}
