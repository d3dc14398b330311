import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { activityLimits } from '../../limits/activity-limits.ts';
import { failed, performing } from '../common/tool-result.ts';
import { explain, say, withConfined, type Spot } from '../confine/open-confined.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { readBelow, type FileHead } from '../confine/read-below.ts';
import { stampBelow, stampPath } from '../confine/stamp-below.ts';
import { writeBelow } from '../confine/write-below.ts';
import { findTarget } from './find-target.ts';
import type { Effect, ToolOutcome, ToolPlace } from '../common/tool.ts';

/** A file that is to get another content: where it is, and its hash now. */
export interface Target {
  path: string;
  before: string | null;
}

/** What it will become, by whom that is decided. */
type Decide = (target: Target) => Promise<ToolOutcome | { action: string; after: string }>;

export async function planContent(path: string, place: ToolPlace, decide: Decide): Promise<Effect | ToolOutcome> {
  const target = await findTarget(place, path, 'follow');
  const before = await stampPath(place, target, place.signal);
  const kind = before?.split(':')[0];
  if (kind === 'folder') throw new PathProblem('unusable', `${say(path)} is a folder, not a file.`);
  if (kind === 'special' || kind === 'link') throw new PathProblem('unusable', `${say(path)} is not a regular file.`);
  const decided = await decide({ path: target, before });
  if ('ok' in decided) return decided;
  return { action: decided.action, files: [{ path: target, before, after: decided.after }] };
}

/** Puts the content in place if the file is still the one that was planned for. `make` is given what was there. */
export function putContent(
  effect: Effect,
  place: ToolPlace,
  make: (was: FileHead | undefined) => { content: string; said: string },
): Promise<ToolOutcome> {
  const [file] = effect.files;
  if (file === undefined) return Promise.resolve(failed('There is nothing to write.'));
  const { path, before } = file;
  return performing(() =>
    withConfined(place, { path, to: 'write', last: 'keep', makeParents: true, exact: true }, async (spot) => {
      if ((await stampBelow(spot, place.signal)) !== before) return sayChanged(path);
      const was = before === null ? undefined : await readWritable(spot);
      const { content, said } = make(was);
      // Between the look and this step somebody else may still write: no system call does both.
      await writeBelow(spot, { text: content, was, signal: place.signal });
      return { ok: true, text: `${path}: ${said}.`, changed: [path] };
    }),
  );
}

export const sayChanged = (path: string): ToolOutcome =>
  failed(`${say(path)} changed meanwhile: nothing was done. Look at it again before you go on.`);

/** A file is replaced, so its own permission to be written has to be asked for. */
async function readWritable(spot: Spot): Promise<FileHead> {
  try {
    await access(spot.folder.at(spot.name), constants.W_OK);
  } catch (error) {
    throw explain(error, spot.path);
  }
  return readBelow(spot, activityLimits.tools.editedBytes);
}
