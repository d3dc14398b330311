import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { activityLimits } from '../../limits/activity-limits.ts';
import { failed, performing } from '../common/tool-result.ts';
import { explain, formatPath, withConfined, type ConfinedPath } from '../confine/open-confined.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { readBelow, type FileHead } from '../confine/read-below.ts';
import { stampBelow, stampPath } from '../confine/stamp-below.ts';
import { writeBelow } from '../confine/write-below.ts';
import { findTarget } from './find-target.ts';
import type { CallEffect, ToolOutcome, ToolContext } from '../common/tool.ts';

/** A file that is to get another content: where it is, and its hash now. */
export interface Target {
  path: string;
  before: string | null;
}

/** Decides on the new content of a file. */
type Decide = (target: Target) => Promise<ToolOutcome | { action: string; after: string }>;

export async function planContent(
  path: string,
  context: ToolContext,
  decide: Decide,
): Promise<CallEffect | ToolOutcome> {
  const target = await findTarget(context, path, 'follow');
  const before = await stampPath(context, target, context.signal);
  const kind = before?.split(':')[0];
  if (kind === 'folder') throw new PathProblem('unusable', `${formatPath(path)} is a folder, not a file.`);
  if (kind === 'special' || kind === 'link')
    throw new PathProblem('unusable', `${formatPath(path)} is not a regular file.`);
  const decided = await decide({ path: target, before });
  if ('ok' in decided) return decided;
  return { action: decided.action, files: [{ path: target, before, after: decided.after }] };
}

/** Puts the content in place if the file is still the one that was planned for. `make` is given what was there. */
export function putContent(
  effect: CallEffect,
  context: ToolContext,
  make: (was: FileHead | undefined) => { content: string | Uint8Array; summary: string },
): Promise<ToolOutcome> {
  const [file] = effect.files;
  if (file === undefined) return Promise.resolve(failed('There is nothing to write.'));
  const { path, before } = file;
  return performing(() =>
    withConfined(context, { path, to: 'write', last: 'keep', makeParents: true, exact: true }, async (target) => {
      if ((await stampBelow(target, context.signal)) !== before) return changedMeanwhile(path);
      const was = before === null ? undefined : await readWritable(target);
      const { content, summary } = make(was);
      // Between the look and this step somebody else may still write: no system call does both.
      await writeBelow(target, { text: content, was, signal: context.signal });
      return { ok: true, text: `${path}: ${summary}.`, changed: [path] };
    }),
  );
}

export const changedMeanwhile = (path: string): ToolOutcome =>
  failed(`${formatPath(path)} changed meanwhile: nothing was done. Look at it again before you continue.`);

/** A file is replaced, so its own permission to be written has to be asked for. */
async function readWritable(target: ConfinedPath): Promise<FileHead> {
  try {
    await access(target.folder.at(target.name), constants.W_OK);
  } catch (error) {
    throw explain(error, target.path);
  }
  return readBelow(target, activityLimits.tools.editedBytes);
}
