import { setTimeout as sleep } from 'node:timers/promises';

import { formatCount, formatList } from '../../domain/text/text.ts';
import type { OutsideFile, TaskDiff } from '../../domain/types/basic/workspace.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { FilesPort } from '../ports/files.ts';

/** Files and times that an undo of a task does not bring back; `unknown` says why nobody can tell. */
export type Uncovered = Pick<TaskDiff, 'outside' | 'gaps'> | { unknown: string };

export const outsideReasons: Readonly<Record<OutsideFile['why'], string>> = {
  large: 'too large',
  unreadable: 'not readable',
  'was-ignored': 'existed before, and is ignored',
  generated: 'changed; snapshots leave out generated folders',
  'not-merged': 'made in the copy of a subtask, and not merged: the workspace has one already',
};

/** Undefined where nothing of a task ran in a workspace of this machine, and while it runs. */
export async function findUncovered(
  files: Pick<FilesPort, 'diffTask'>,
  { id, endedAt, workspace, subtasks }: StatusView,
): Promise<Uncovered | undefined> {
  if (endedAt === null || workspace === null || subtasks.every(({ attempts }) => attempts === 0)) return undefined;
  const waiting = new AbortController();
  const late = sleep(clientLimits.uncovered, undefined, { signal: waiting.signal, ref: false }).then((): Uncovered => ({
    unknown: 'the snapshots did not answer in time',
  }));
  late.catch(() => undefined);
  try {
    return await Promise.race([askSnapshots(files, id), late]);
  } finally {
    waiting.abort();
  }
}

/** Why they did not answer is for the reader to know, and no reason to show nothing. */
async function askSnapshots(files: Pick<FilesPort, 'diffTask'>, task: string): Promise<Uncovered | undefined> {
  try {
    const answer = await files.diffTask({ task, subtask: null }, { subtaskKnown: false });
    return answer && { outside: answer.diff.outside, gaps: answer.diff.gaps };
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

/** One line; undefined where undo covers everything. */
export function formatUncovered(uncovered: Uncovered | undefined): string | undefined {
  if (uncovered === undefined) return undefined;
  if ('unknown' in uncovered) return `it is not known what it covers: ${uncovered.unknown}`;
  const { outside, gaps } = uncovered;
  const parts = [
    ...(outside.length === 0
      ? []
      : [
          formatList(
            outside.map(({ path }) => path),
            shownPaths,
          ),
        ]),
    ...(gaps.length === 0 ? [] : [`${formatCount(gaps.length, 'snapshot')} that failed`]),
  ];
  return parts.length === 0 ? undefined : `does not cover ${parts.join(', and ')}`;
}

const shownPaths = 5;
