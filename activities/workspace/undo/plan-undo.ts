import { readdirSync } from 'node:fs';

import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { formatCount, formatList } from '../../../domain/text/text.ts';
import { nothing } from '../git/entry.ts';
import type { Attribution } from '../../../domain/workspace/attribution.ts';
import { isMeanwhile, type FoundPathHistory } from './find-path-histories.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { lookAt } from '../snapshots/look-at-files.ts';
import { nameWriters, formatEither } from './name-writers.ts';
import { listAncestors, diskPath, showPath, type PathKey } from '../git/path-key.ts';
import type { Restoration } from '../git/restore-paths.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';

/** Plans what an undo writes, or gives a refusal that names every file in its way. */
export function planUndo(
  repository: ShadowRepository,
  pathHistories: readonly FoundPathHistory[],
  subject: WorkspaceSubject,
  options: { force: boolean },
): Restoration[] {
  const conflicts = options.force ? [] : pathHistories.flatMap((pathHistory) => findConflicts(pathHistory, subject));
  if (conflicts.length > 0) throw refusal(conflicts, subject);
  const restorations = pathHistories
    .filter((pathHistory) => pathHistory.now !== pathHistory.base && (options.force || !isShared(pathHistory, subject)))
    .map(({ path, now, base }) => ({ path, now, target: base }));
  const obstacles = findObstacles(repository.workspace, restorations);
  if (obstacles.length > 0) throw refusal(obstacles, subject);
  return restorations;
}

/** Somebody else changed it too while the subject ran: it is named and left. */
const isShared = ({ unsure, foreign }: FoundPathHistory, subject: WorkspaceSubject): boolean =>
  [...unsure, ...foreign].some((change) => isMeanwhile(change, subject));

function findConflicts({ path, unsure, foreign, by }: FoundPathHistory, subject: WorkspaceSubject): Problem[] {
  const name = showPath(path);
  const isDoubt = (change: Attribution): boolean => !isMeanwhile(change, subject);
  const doubt = unsure.find(isDoubt);
  if (doubt !== undefined) {
    const names = nameWriters(doubt, subject);
    const others = names.filter((other) => other !== subject.subtask);
    return [
      conflict(name, `${name} was changed by ${formatEither(names)}`, `Undo it together with ${formatList(others)}.`),
    ];
  }
  const later = foreign.find(isDoubt);
  if (later === undefined) return [];
  const last = by.at(-1);
  const own = last === undefined ? 'the task' : formatEither(nameWriters({ by: [last], orSomebody: false }, subject));
  const names = nameWriters(later, subject);
  return [
    conflict(
      name,
      `${name} was changed by ${formatEither(names)} after ${own}`,
      names.includes('someone else') ? 'Look at it with `git diff` or an editor.' : `Undo ${formatList(names)} first.`,
    ),
  ];
}

const conflict = (where: string, message: string, hint: string): Problem => ({
  code: 'UNDO_CONFLICT',
  message,
  where,
  hint,
});

function refusal(conflicts: readonly Problem[], { task, subtask }: WorkspaceSubject): HeddleError {
  const what = subtask === null ? `The task ${task}` : `${subtask} of the task ${task}`;
  const whole = subtask === null ? '' : `\`heddle undo ${task}\` undoes the whole task; `;
  const names = conflicts.map(({ where }) => where ?? '');
  return new HeddleError(
    {
      code: 'UNDO_CONFLICT',
      message: `${what} cannot be undone exactly; nothing was changed: ${formatCount(names.length, 'file')} in doubt (${formatList(names)})`,
      hint: `${whole}--force restores these files too, even where others changed them.`,
    },
    conflicts.slice(0, activityLimits.workspace.namedFiles),
  );
}

/** Finds what is in the way of a file that has to go back, and is in no snapshot: not even force removes that. */
function findObstacles(workspace: string, restorations: readonly Restoration[]): Problem[] {
  const removed = new Set(restorations.filter(({ target }) => target === nothing).map(({ path }) => path));
  const obstacles = new Map<PathKey, Problem>();
  const add = (path: PathKey, target: PathKey): void => {
    const [name, wanted] = [showPath(path), showPath(target)];
    const message = path === target ? `${name} exists again, and is ignored` : `${name} is in the way of ${wanted}`;
    obstacles.set(path, conflict(name, message, 'Move it away, then undo again.'));
  };
  for (const { path, now, target } of restorations) {
    if (target === nothing) continue;
    const above = listAncestors(path).find((folder) => isNoFolder(workspace, folder));
    if (above !== undefined) {
      if (!removed.has(above)) add(above, path);
      continue;
    }
    const look = lookAt(workspace, path);
    if (look.kind === 'folder')
      for (const inside of filesIn(workspace, path)) if (!removed.has(inside)) add(inside, path);
    if (now === nothing && look.kind !== 'folder' && look.kind !== 'missing') add(path, path);
  }
  return [...obstacles.values()];
}

function isNoFolder(workspace: string, folder: PathKey): boolean {
  const { kind } = lookAt(workspace, folder);
  return kind !== 'folder' && kind !== 'missing';
}

function filesIn(workspace: string, folder: PathKey): PathKey[] {
  return readdirSync(diskPath(workspace, folder), { encoding: 'buffer', withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name.toString('latin1')}`;
    return entry.isDirectory() ? filesIn(workspace, path) : [path];
  });
}
