import type { Refusal } from './values.ts';

/** Parts of a plan that are named but not supported yet. Remove the entry when its part exists. */
const notYet = {
  process: { what: '`process`', instead: 'Remove it and list the `subtasks` in the plan.' },
} as const;

export type NotYet = keyof typeof notYet;

export function notSupported(part: NotYet): Refusal {
  const { what, instead } = notYet[part];
  return { code: 'PLAN_NOT_SUPPORTED', message: `${what} is not supported in this version.`, hint: instead };
}
