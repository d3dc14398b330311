import { rename, unlink } from 'node:fs/promises';
import * as z from 'zod';
import { activityLimits } from '../../limits/activity-limits.ts';
import { isSystemError } from '../../system/system-error.ts';
import { answering, failed, performing } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { changedMeanwhile } from './change-content.ts';
import { explain, findConfined, formatPath, withConfined, type ConfinedPath } from '../confine/open-confined.ts';
import { stampBelow, stampPath } from '../confine/stamp-below.ts';
import { removeFolderBelow, temporaryName } from '../confine/write-below.ts';
import { isFolder, assessFiles } from './assess-files.ts';
import { onFiles } from './settle-files.ts';
import type { MutatingTool, ToolOutcome, ToolContext } from '../common/tool.ts';

const schema = z.strictObject({ path: pathArgument });

type Args = z.infer<typeof schema>;

export const deletePath: MutatingTool<Args> = {
  name: 'delete_path',
  description: 'Deletes a file, a link (not what it points to), or a folder with all that is in it.',
  kind: 'mutates',
  schema,
  timeout: activityLimits.tools.timeout,
  plan: ({ path }, context) =>
    answering(async () => {
      const target = await findConfined(context, { path, to: 'write', last: 'keep' });
      const before = await stampPath(context, target.path, context.signal);
      if (before === null) return failed(`There is nothing at ${formatPath(path)}: nothing to delete.`);
      const what = isFolder(before) ? 'the folder ' : '';
      return { action: `delete ${what}${target.path}`, files: [{ path: target.path, before, after: null }] };
    }),
  assess: (_, context, effect) => assessFiles('delete_path', context, effect),
  perform: (_, effect, context) => {
    const [file] = effect.files;
    if (file === undefined) return Promise.resolve(failed('There is nothing to delete.'));
    const { path, before } = file;
    return performing(() =>
      withConfined(context, { path, to: 'write', last: 'keep', exact: true }, async (target) => {
        if ((await stampBelow(target, context.signal)) !== before) return changedMeanwhile(path);
        return isFolder(before) ? deleteFolder(target, context) : deleteEntry(target);
      }),
    );
  },
  ...onFiles,
};

async function deleteEntry({ folder, name, path }: ConfinedPath): Promise<ToolOutcome> {
  await unlink(folder.at(name)).catch((error: unknown) => {
    throw explain(error, path);
  });
  await folder.sync();
  return { ok: true, text: `${path} deleted.`, changed: [path] };
}

/** Gone in one step, under another name, and then removed: after a crash it is there as a whole or not at all. */
async function deleteFolder({ folder, name, path }: ConfinedPath, context: ToolContext): Promise<ToolOutcome> {
  const aside = temporaryName(name);
  await rename(folder.at(name), folder.at(aside)).catch((error: unknown) => {
    throw explain(error, path);
  });
  await folder.sync();
  try {
    await removeFolderBelow(folder, aside, context.signal);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await rename(folder.at(aside), folder.at(name));
    return { ok: false, text: `${path}: only a part could be deleted (${error.code}); look at it.`, changed: [path] };
  }
  return { ok: true, text: `${path} deleted with all that was in it.`, changed: [path] };
}
