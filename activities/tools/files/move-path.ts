import { rename } from 'node:fs/promises';
import * as z from 'zod';
import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';
import { answering, failed, performing } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { changedMeanwhile } from './change-content.ts';
import { explain, findConfined, formatPath, withConfined, type ConfinedPath } from '../confine/open-confined.ts';
import { stampPath } from '../confine/stamp-below.ts';
import { findTarget } from './find-target.ts';
import { assessFiles } from './assess-files.ts';
import { findChanged, onFiles } from './settle-files.ts';
import type { MutatingTool, ToolOutcome } from '../common/tool.ts';

const schema = z.strictObject({ from: pathArgument, to: pathArgument.describe('new path, with its name') });

type Args = z.infer<typeof schema>;

export const movePath: MutatingTool<Args> = {
  name: 'move_path',
  description: 'Moves or renames a file, link or folder. Nothing is overwritten; folders on the way are made.',
  kind: 'mutates',
  schema,
  timeout: activityLimits.tools.timeout,
  plan: (args, context) =>
    answering(async () => {
      const { path: from } = await findConfined(context, { path: args.from, to: 'write', last: 'keep' });
      const to = await findTarget(context, args.to, 'keep');
      const moved = await stampPath(context, from, context.signal);
      if (moved === null) return failed(`There is nothing at ${formatPath(args.from)}: nothing to move.`);
      if (to === from) return failed('`from` and `to` are the same place.');
      if (`${to}/`.startsWith(`${from}/`)) return failed('A folder cannot be moved into itself.');
      if ((await stampPath(context, to, context.signal)) !== null) {
        return failed(
          `There is already something at ${formatPath(args.to)}: nothing is overwritten. Give the whole new path.`,
        );
      }
      const files = [
        { path: from, before: moved, after: null },
        { path: to, before: null, after: moved },
      ];
      return { action: `move ${from} to ${to}`, files };
    }),
  assess: (_, context, effect) => assessFiles('move_path', context, effect),
  perform: (_, effect, context) => {
    const [source, target] = effect.files;
    if (source === undefined || target === undefined) return Promise.resolve(failed('There is nothing to move.'));
    return performing(async () => {
      const changed = await findChanged(effect, context);
      if (changed !== undefined) return changedMeanwhile(changed);
      return withConfined(context, { path: source.path, to: 'write', last: 'keep', exact: true }, (from) =>
        withConfined(context, { path: target.path, to: 'write', last: 'keep', makeParents: true, exact: true }, (to) =>
          move(from, to),
        ),
      );
    });
  },
  ...onFiles,
};

async function move(from: ConfinedPath, to: ConfinedPath): Promise<ToolOutcome> {
  try {
    await rename(from.folder.at(from.name), to.folder.at(to.name));
  } catch (error) {
    if (systemCode(error) === 'EXDEV')
      return failed('The two paths are on different disks: write the file at the new path, then delete the old one.');
    throw explain(error, from.path);
  }
  await to.folder.sync();
  await from.folder.sync();
  return { ok: true, text: `${from.path} moved to ${to.path}.`, changed: [from.path, to.path] };
}
