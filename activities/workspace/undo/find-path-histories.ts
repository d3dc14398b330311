import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  sideOfSubtask,
  sideOfTask,
  foldPathHistory,
  type PathHistory,
} from '../../../domain/workspace/path-history.ts';
import type { OthersFile, OutsideFile, SnapshotGap } from '../../../domain/types/basic/workspace.ts';
import type { Attribution } from '../../../domain/workspace/attribution.ts';
import { isRules } from '../snapshots/find-changes.ts';
import { isLargeText, isLeftOutText, isUnmergedText, nothing } from '../git/entry.ts';
import { findLeftOutAbove } from '../git/left-out.ts';
import type { History, RecordedChange } from './load-history.ts';
import { parentOf, diskPath, showPath, type PathKey } from '../git/path-key.ts';
import { eachBlob } from '../git/read-blob.ts';
import { joinZero, splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { listTree } from '../git/tree-changes.ts';

export interface FoundPathHistory extends PathHistory {
  path: PathKey;
  /** How it is at the end of the history. */
  now: string;
  /** The workspace before its first change. */
  since: Snapshot;
}

export interface PathHistories {
  pathHistories: FoundPathHistory[];
  outside: OutsideFile[];
  /** Paths whose histories hold changes of the subject too. */
  changedByOthers: OthersFile[];
}

export const sideFor = ({ task, subtask }: WorkspaceSubject) =>
  subtask === null ? sideOfTask(task) : sideOfSubtask(task, subtask);

/** Lists what a task or subtask did, path by path, without what snapshots cannot answer for. */
export async function findPathHistories(
  repository: ShadowRepository,
  history: History,
  subject: WorkspaceSubject,
  deadline: number,
): Promise<PathHistories> {
  const { pathHistories, outside } = foldHistories(history, subject);
  const changedByOthers = findOthers(history, pathHistories, subject);
  const ignored = await wereIgnored(repository, history, pathHistories, deadline);
  for (const path of ignored) outside.push({ path: showPath(path), why: 'was-ignored' });
  for (const { path, why } of history.intervals.at(-1)?.to.meta.outside ?? []) {
    if (why === 'unreadable') outside.push({ path: showPath(path), why });
  }
  return { pathHistories: pathHistories.filter(({ path }) => !ignored.has(path)), outside, changedByOthers };
}

/** Tells what the snapshots hold from what they do not. */
function foldHistories(history: History, subject: WorkspaceSubject): Omit<PathHistories, 'changedByOthers'> {
  const sideOf = sideFor(subject);
  const pathHistories: FoundPathHistory[] = [];
  const outside = new Map<PathKey, OutsideFile['why']>();
  const last = history.intervals.at(-1)?.to.meta;
  for (const [path, changes] of history.changes) {
    const pathHistory = foldPathHistory(changes, sideOf);
    if (pathHistory === undefined) continue;
    const since = changes[pathHistory.first]?.from;
    // A file that snapshots held once may be another by now, where they have come to leave out its folder.
    const above = last === undefined ? undefined : findLeftOutAbove(last, path);
    const why = since === undefined ? 'large' : whyNoWayBack(pathHistory);
    if (above !== undefined) outside.set(above, 'generated');
    else if (why !== undefined || since === undefined) outside.set(path, why ?? 'large');
    else pathHistories.push({ ...pathHistory, path, now: changes.at(-1)?.after ?? nothing, since });
  }
  return { pathHistories, outside: [...outside].map(([path, why]) => ({ path: showPath(path), why })) };
}

/** Files that somebody else changed while the subject ran: alone, or on top of what the subject did. */
function findOthers(
  { changes }: History,
  pathHistories: readonly FoundPathHistory[],
  subject: WorkspaceSubject,
): OthersFile[] {
  const others: OthersFile[] = [];
  const own = new Map(pathHistories.map((pathHistory) => [pathHistory.path, pathHistory]));
  for (const [path, some] of changes) {
    const pathHistory = own.get(path);
    const foreignChanges = (pathHistory === undefined ? some : [...pathHistory.unsure, ...pathHistory.foreign]).filter(
      (change) => isMeanwhile(change, subject),
    );
    const isLeft = pathHistory !== undefined || leavesTrace(some, subject);
    if (foreignChanges.length === 0 || !isLeft) continue;
    const during = new Set(foreignChanges.flatMap((change) => listNames(change, subject)));
    others.push({ path: showPath(path), during: [...during], shared: pathHistory !== undefined });
  }
  return others.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Tells whether the path is another than it was before the first of these changes. */
function leavesTrace(changes: readonly RecordedChange[], subject: WorkspaceSubject): boolean {
  const first = changes.find((change) => isMeanwhile(change, subject));
  return first !== undefined && first.before !== changes.at(-1)?.after;
}

const listNames = ({ during = [] }: Attribution, { task }: WorkspaceSubject): string[] =>
  during.filter((writer) => writer.task === task).map(({ subtask }) => subtask ?? task);

/** Somebody else's change while the subject ran, which is known since the subject's own writes are. */
export function isMeanwhile({ during = [] }: Attribution, { task, subtask }: WorkspaceSubject): boolean {
  return during.some((writer) => writer.task === task && (subtask === null || writer.subtask === subtask));
}

/** Its content before is not held, or there is a large file now that was not there, or a generated folder. */
function whyNoWayBack({ base, left }: PathHistory): OutsideFile['why'] | undefined {
  if (isUnmergedText(left)) return 'not-merged';
  if (isLeftOutText(base) || isLeftOutText(left) || isUnmergedText(base)) return 'generated';
  return isLargeText(base) || (base === nothing && isLargeText(left)) ? 'large' : undefined;
}

/**
 * Files that look new because a `.gitignore` changed were there before, unseen: the subtask that changed the rule did not make them.
 * Asked of the rules as they were, and only where rules changed.
 */
async function wereIgnored(
  repository: ShadowRepository,
  { changes }: History,
  pathHistories: readonly FoundPathHistory[],
  deadline: number,
): Promise<Set<PathKey>> {
  const ignored = new Set<PathKey>();
  const created = pathHistories.filter(({ base }) => base === nothing);
  const rulesChanged = [...changes.keys()].some(isRules);
  if (!rulesChanged || created.length === 0) return ignored;
  for (const [since, some] of Map.groupBy(created, (pathHistory) => pathHistory.since)) {
    const paths = some.map(({ path }) => path);
    for (const path of await ignoredIn(repository, since, paths, deadline)) ignored.add(path);
  }
  return ignored;
}

async function ignoredIn(
  repository: ShadowRepository,
  snapshot: Snapshot,
  paths: readonly PathKey[],
  deadline: number,
): Promise<PathKey[]> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-rules-'));
  try {
    const tree = await listTree(repository, snapshot.tree, deadline);
    const rules = [...tree].flatMap(([path, { oid }]) => (isRules(path) ? [{ path, oid }] : []));
    await eachBlob(repository, rules, deadline, async ({ path }, bytes) => {
      if (path.includes('/')) await mkdir(diskPath(folder, parentOf(path)), { recursive: true });
      await writeFile(diskPath(folder, path), bytes);
    });
    const { stdout } = await repository.git(['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], {
      // This command does not know literal paths; after `./` nothing in a name is magic.
      stdin: joinZero(paths.map((path) => `./${path}`)),
      env: { GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' },
      answers: [1],
      deadline,
    });
    return splitZero(stdout).map((path) => path.slice(2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Snapshots of the subject that failed. */
export function listGaps({ marks }: Pick<History, 'marks'>, { task, subtask }: WorkspaceSubject): SnapshotGap[] {
  return marks.flatMap(({ writer, moment, attempt, at, gap }) => {
    const isOwn = writer.task === task && !writer.undo && (subtask === null || writer.subtask === subtask);
    if (gap === null || !isOwn || moment === 'lost') return [];
    return [{ subtask: writer.subtask, attempt, moment, at: new Date(at).toISOString(), reason: gap }];
  });
}
