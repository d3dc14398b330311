import { readFile, realpath, stat } from 'node:fs/promises';

import { limits } from '../../../domain/limits/domain-limits.ts';
import type { FileState } from '../../../domain/types/basic/ref.ts';
import { clip } from '../../../domain/text/text.ts';
import { attribute, declarations, buildWriterKey } from '../../../domain/workspace/attribution.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { nothing } from '../git/entry.ts';
import { diskPath, showPath } from '../git/path-key.ts';
import type { JournalMark, Snapshot } from '../git/snapshot.ts';
import { changes, type TreeChange } from '../git/tree-changes.ts';
import type { SnapshotAttempt } from './attempt-snapshots.ts';
import { Journal } from './journal.ts';
import { openRepository, type SnapshotParts } from './snapshots.ts';

/**
 * Files that an attempt changed and left, as far as its snapshots surely tell: what others may have written at the same time is not named.
 * Bounded; empty when anything about it fails, since no attempt may fail for it.
 */
export async function filesOfAttempt(
  parts: SnapshotParts,
  about: Omit<SnapshotAttempt, 'deliverables'>,
): Promise<FileState[]> {
  try {
    const workspace = await realpath(about.workspace);
    const repository = openRepository(parts, workspace);
    if (!repository.isThere || !Journal.exists(repository.folder)) return [];
    const { taskId: task, subtaskId: subtask, attempt } = about;
    const span = Journal.with(repository.folder, undefined, (journal) =>
      findSpan(journal, journal.marksOfAttempt({ task, subtask, attempt })),
    );
    if (span === undefined) return [];
    const deadline = performance.now() + activityLimits.workspace.stoppingTimeout;
    const ownChanges = (await changes(repository, span.from, span.to, deadline)).filter(({ path }) => span.isOwn(path));
    const named = ownChanges.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, limits.leftFiles);
    return await Promise.all(named.map((change) => describe(workspace, change)));
  } catch {
    return [];
  }
}

export interface Span {
  from: Snapshot;
  to: Snapshot;
  isOwn: (path: string) => boolean;
}

/** From the first start to the last end of these marks of one writer, and who else wrote in between. */
export function findSpan(journal: Journal, own: readonly JournalMark[]): Span | undefined {
  const first = own.find(({ moment, tree }) => moment === 'start' && tree !== null);
  const last = own.findLast(({ moment, tree }) => moment === 'end' && tree !== null);
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [findSnapshot(journal, first), findSnapshot(journal, last)];
  if (from === undefined || to === undefined) return undefined;
  const marks = [...journal.marksBetween(first.seq, last.seq), ...openAt(journal, last.seq)];
  const writers = [...new Map(marks.map(({ writer }) => [buildWriterKey(writer), writer])).values()];
  const declared = declarations(marks);
  const isOwn = (path: string): boolean => {
    const { by } = attribute({ writers, unattended: false }, { path }, declared);
    return by.length === 1 && by[0] !== undefined && buildWriterKey(by[0]) === buildWriterKey(first.writer);
  };
  return { from, to, isOwn };
}

/** Lists who ran at a mark: those who still run, and those who have ended since then. */
function openAt(journal: Journal, at: number): JournalMark[] {
  const started = new Set<string>();
  const ended = journal.marksAfter(at).filter(({ writer, moment }) => {
    if (moment === 'start') started.add(buildWriterKey(writer));
    return moment !== 'start' && !started.has(buildWriterKey(writer));
  });
  return [...journal.open().filter(({ seq }) => seq < at), ...ended];
}

function findSnapshot(journal: Journal, { tree, meta }: JournalMark): Snapshot | undefined {
  const storedMeta = meta === null ? undefined : journal.meta(meta);
  return tree === null || storedMeta === undefined ? undefined : { tree, meta: storedMeta };
}

async function describe(workspace: string, { path, before, after }: TreeChange): Promise<FileState> {
  const state = before === nothing ? 'created' : after === nothing ? 'deleted' : 'modified';
  const lines = state === 'deleted' ? 0 : await countLines(diskPath(workspace, path));
  return { path: clip(showPath(path), limits.leftPath), state, lines };
}

/** None where it is no text that somebody would read. */
async function countLines(place: Buffer): Promise<number> {
  const stats = await stat(place).catch(() => undefined);
  if (stats === undefined || !stats.isFile() || stats.size > activityLimits.maxCheckedBytes) return 0;
  const text = await readFile(place, 'latin1').catch(() => '');
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
