import type { Attribution } from './attribution.ts';
import type { Writer } from '../types/basic/workspace.ts';

/** How a path changed between two snapshots. States are compared by their text; `''` is "not there". */
export interface PathChange extends Attribution {
  before: string;
  after: string;
}

/** Whose change it is, as seen from what is to be undone. */
export type Side = 'own' | 'unsure' | 'foreign';

/** What a task or subtask did to a path, from before its first change to after its last. */
export interface PathHistory {
  /** Where in the changes it begins. */
  first: number;
  base: string;
  left: string;
  by: Writer[];
  /** Changes that may have been somebody else's. */
  unsure: Attribution[];
  /** Changes of others after the first of its own. */
  foreign: Attribution[];
}

/** Undefined when nothing of it is left: what was undone, by whomever, no longer counts. */
export function foldPathHistory(
  changes: readonly PathChange[],
  sideOf: (change: Attribution) => Side,
): PathHistory | undefined {
  let history: PathHistory | undefined;
  /** What others did since its last own change; taken back by them, it is as if they had not. */
  let later: Attribution[] = [];
  for (const [first, change] of changes.entries()) {
    const side = sideOf(change);
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

/** A task's change, whichever of its subtasks made it. */
export function sideOfTask(task: string): (change: Attribution) => Side {
  return buildSideRule((writer) => writer.task === task);
}

export function sideOfSubtask(task: string, subtask: string): (change: Attribution) => Side {
  return buildSideRule((writer) => writer.task === task && writer.subtask === subtask);
}

function buildSideRule(isOwn: (writer: Writer) => boolean): (change: Attribution) => Side {
  return ({ by, orSomebody }) => {
    const own = by.filter(isOwn).length;
    if (own === 0) return 'foreign';
    return own === by.length && !orSomebody ? 'own' : 'unsure';
  };
}
