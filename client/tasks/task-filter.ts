import type { TaskListing } from '../sdk/task-listing.ts';

/** The tasks that are asked for. All that is given has to hold. */
export interface TaskFilter {
  /** States of a task, or `open` for all that have not ended. */
  states?: readonly string[] | undefined;
  project?: string | undefined;
  /** It waits for a person. */
  waiting?: boolean | undefined;
  /** A part of the goal or of the id, in any case. */
  text?: string | undefined;
}

const isOpen = "ExecutionStatus = 'Running'";
/** A task that a person ended by an answer fails on the server and says itself that it was cancelled. */
const sawCancelled = "HeddleState = 'cancelled'";
const sawOther = `(HeddleState IS NULL OR HeddleState != 'cancelled')`;

const queries: Readonly<Record<string, string>> = {
  open: isOpen,
  planning: `${isOpen} AND HeddleState = 'planning'`,
  running: `${isOpen} AND (HeddleState IS NULL OR HeddleState = 'running')`,
  paused: `${isOpen} AND HeddleState = 'paused'`,
  waiting: `${isOpen} AND HeddleState = 'waiting'`,
  completed: `ExecutionStatus = 'Completed' AND ${sawOther}`,
  failed: `(ExecutionStatus = 'Failed' AND ${sawOther}) OR ExecutionStatus = 'Terminated' OR ExecutionStatus = 'TimedOut'`,
  cancelled: `ExecutionStatus = 'Canceled' OR ((ExecutionStatus = 'Failed' OR ExecutionStatus = 'Completed') AND ${sawCancelled})`,
};

/** The states that a filter may name. */
export const filterStates = ['open', 'planning', 'running', 'paused', 'waiting', 'completed', 'failed', 'cancelled'];

/** The server's part of a filter; empty where it has none. */
export function buildTaskQuery({ states = [], project, waiting }: TaskFilter): string {
  const anyOf = states.flatMap((state) => queries[state] ?? []).map((query) => `(${query})`);
  return [
    ...(anyOf.length === 0 ? [] : [`(${anyOf.join(' OR ')})`]),
    ...(project === undefined ? [] : [`HeddleProject = ${quote(project)}`]),
    ...(waiting === true ? [`${isOpen} AND HeddleWaitingOn IS NOT NULL`] : []),
  ].join(' AND ');
}

/** The same for a server without our search attributes: what it cannot tell is looked for in what it lists. */
export function buildPlainQuery({ states = [], waiting }: TaskFilter): string {
  const ends = ['completed', 'failed', 'cancelled'];
  const areOpen = waiting === true || (states.length > 0 && states.every((state) => !ends.includes(state)));
  return areOpen ? isOpen : '';
}

/** No name has a control character, and the server's database stumbles over some. */
const quote = (text: string): string => `'${text.replace(/\p{Cc}/gu, '').replace(/['\\]/g, (mark) => `\\${mark}`)}'`;

/** The part of a filter that the server cannot answer. */
export function fitsText({ goal, id }: TaskListing, { text }: TaskFilter): boolean {
  if (text === undefined) return true;
  const part = text.toLowerCase();
  return goal.toLowerCase().includes(part) || id.toLowerCase().includes(part);
}
