import type { Attribution } from './attribution.ts';
import type { Writer } from '../types/basic/workspace.ts';

/** A change of a path between two snapshots. States are compared as text; `''` means that the path does not exist. */
export interface PathChange extends Attribution {
  before: string;
  after: string;
}

/** The author of a change, relative to the task or subtask to undo. */
export type ChangeSide = 'own' | 'unsure' | 'foreign';

/** The changes of a path by a task or subtask, from before the first to after the last. */
export interface PathHistory {
  /** The index of its first change. */
  first: number;
  base: string;
  left: string;
  by: Writer[];
  /** Changes that others may have made. */
  unsure: Attribution[];
  /** Changes of others after its first own one. */
  foreign: Attribution[];
}

/** Undefined when no change remains: an undone change no longer counts, no matter who undid it. */
export function foldPathHistory(
  changes: readonly PathChange[],
  classify: (change: Attribution) => ChangeSide,
): PathHistory | undefined {
  let history: PathHistory | undefined;
  /** Changes of others since the last own one. If they are reverted, they no longer count. */
  let later: Attribution[] = [];
  for (const [first, change] of changes.entries()) {
    const side = classify(change);
    if (history === undefined) {
      if (side === 'foreign') continue;
      history = { first, base: change.before, left: change.after, by: [], unsure: [], foreign: [] };
    }
    if (side === 'foreign') {
      later = change.after === history.left ? [] : [...later, change];
    } else {
      history.left = change.after;
      history.by.push(...change.by);
      history.foreign.push(...later);
      later = [];
    }
    if (side === 'unsure') history.unsure.push(change);
    if (change.after === history.base) {
      history = undefined;
      later = [];
    }
  }
  return history === undefined ? undefined : { ...history, foreign: [...history.foreign, ...later] };
}

/** Attributes a change to a task if any of its subtasks made it. */
export function sideOfTask(task: string): (change: Attribution) => ChangeSide {
  return buildSideRule((writer) => writer.task === task);
}

export function sideOfSubtask(task: string, subtask: string): (change: Attribution) => ChangeSide {
  return buildSideRule((writer) => writer.task === task && writer.subtask === subtask);
}

function buildSideRule(isOwn: (writer: Writer) => boolean): (change: Attribution) => ChangeSide {
  return ({ by, orSomebody }) => {
    const own = by.filter(isOwn).length;
    if (own === 0) return 'foreign';
    return own === by.length && !orSomebody ? 'own' : 'unsure';
  };
}
