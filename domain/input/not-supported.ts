import type { Refusal } from './values.ts';

/** Parts of the plan that this version knows by name and cannot do. Take the entry out when its part is there. */
const notYet = {
  critical: {
    what: '`critical: true`',
    instead: 'Remove it: a subtask that fails for good fails the task anyway.',
  },
  process: { what: '`process`', instead: 'Remove it and list the `subtasks` in the plan.' },
} as const;

export type NotYet = keyof typeof notYet;

export function notSupported(part: NotYet): Refusal {
  const { what, instead } = notYet[part];
  return { code: 'PLAN_NOT_SUPPORTED', message: `${what} is not supported in this version.`, hint: instead };
}

/** For a key of `budget` that nothing counts yet. */
export const notCounted = (key: string): Refusal => ({
  code: 'PLAN_NOT_SUPPORTED',
  message: `A budget for \`${key}\` is not supported in this version.`,
  hint: 'Remove it, or use `wallClock`, `costUsd`, `tokens`, `modelCalls`, `toolCalls`, `mutations` or `replans`.',
});
