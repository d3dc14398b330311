import { formatList } from '../../../domain/text/text.ts';
import { withConfined } from '../confine/open-confined.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { stampPath } from '../confine/stamp-below.ts';
import { sweepBelow } from '../confine/write-below.ts';
import type { CallEffect, Settled, ToolContext } from '../common/tool.ts';

/** Compares each file with its planned state and its state before. Parts that a crash left unfinished are removed. */
async function settleFiles(effect: CallEffect, context: ToolContext): Promise<Settled> {
  const seen: { now: string | null; before: string | null; after: string | null }[] = [];
  for (const { path, before, after } of effect.files) {
    try {
      seen.push({ now: await stampPath(context, path, context.signal), before, after });
      await sweep(context, path);
    } catch (error) {
      // A link or a file where a folder was: something else did that, not this effect.
      if (error instanceof PathProblem) return 'unclear';
      throw error;
    }
  }
  if (seen.every(({ now, after }) => now === after)) return 'done';
  return seen.every(({ now, before }) => now === before) ? 'not-done' : 'unclear';
}

/** The common part of tools on files: the files show what happened, and half a change helps nobody. */
export const onFiles = {
  interruptible: false,
  settle: settleFiles,
  evidence: ({ files }: CallEffect) =>
    Promise.resolve(`Look at ${formatList(files.map(({ path }) => path))} before you do anything about it.`),
} as const;

/** The first file that is no longer as it was when the effect was planned. */
export async function findChanged(effect: CallEffect, context: ToolContext): Promise<string | undefined> {
  for (const { path, before } of effect.files) {
    if ((await stampPath(context, path, context.signal)) !== before) return path;
  }
  return undefined;
}

async function sweep(context: ToolContext, path: string): Promise<void> {
  try {
    await withConfined(context, { path, to: 'write', last: 'keep' }, ({ folder, name }) =>
      sweepBelow(folder, name, context.signal),
    );
  } catch (error) {
    if (!(error instanceof PathProblem) || error.kind !== 'missing') throw error;
  }
}
