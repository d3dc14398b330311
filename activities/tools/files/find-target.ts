import { deliverableBehind } from '../../../domain/workspace/deliverable-variant.ts';
import { findConfined, formatPath, type PathRequest } from '../confine/open-confined.ts';
import { PathProblem } from '../confine/path-problem.ts';
import type { ToolContext } from '../common/tool.ts';

/** Resolves a path that is to be written, relative to the workspace. A variant of a fixed deliverable's name is refused: the file itself is edited. */
export async function findTarget(context: ToolContext, path: string, last: PathRequest['last']): Promise<string> {
  const target = await findConfined(context, { path, to: 'write', last });
  const deliverable = deliverableBehind(target.path, context.fixedDeliverables);
  if (deliverable === undefined) return target.path;
  throw new PathProblem(
    'protected',
    `${formatPath(path)} is a variant of the deliverable ${formatPath(deliverable)}. Change ${formatPath(deliverable)} itself.`,
  );
}
