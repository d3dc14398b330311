import type { Failure } from '../types/basic/failure.ts';
import { defaultTaskLimits } from '../limits/task-limits.ts';
import { failureTypes, type FailureCategory, type FailureType } from '../types/basic/failure-types.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Recovery, RecoveryOverrides } from '../types/subtask.ts';

/** The recovery from one type of failure, as data, so that a plan can override it. */
export interface RecoveryStrategy extends Required<Omit<Recovery, 'tries'>> {
  category: FailureCategory;
  /** The cause, where the type alone determines it; empty where only the program's output could. */
  cause: string;
}

const strategy = (category: FailureCategory, given: Partial<RecoveryStrategy> = {}): RecoveryStrategy => ({
  category,
  emphasis: '',
  cause: '',
  wait: 0,
  timeoutFactor: 1,
  ...given,
});

const quality = (emphasis: string, given: Partial<RecoveryStrategy> = {}): RecoveryStrategy =>
  strategy('quality', { emphasis, ...given });

export const strategies: Readonly<Record<FailureType, RecoveryStrategy>> = {
  timeout: quality(
    'The time limit ended the previous attempt. Do the core requirement first, in smaller steps, and finish sooner.',
    {
      cause: 'The work did not fit into its time limit.',
      wait: limits.waitAfterTimeout,
      timeoutFactor: limits.timeoutGrowth,
    },
  ),
  // An output that is too long for a model or a pipe may arrive empty, so a smaller result is asked for.
  'empty-output': quality(
    'Print the result on standard output; the previous attempt printed nothing. Make it smaller: the essential part first, and no more than is asked for.',
    { cause: 'The program ended without printing a result.', wait: limits.waitAfterEmptyOutput },
  ),
  'format-invalid': quality('Correct the syntax of what is named and check it before you finish.', {
    cause: 'What was written is not well-formed.',
  }),
  'missing-sections': quality('Write every missing section under a heading of exactly that name.', {
    cause: 'Required sections are missing.',
  }),
  'diff-invalid': quality('Print only a unified diff against the files as they are now in the workspace.', {
    cause: 'The changes do not fit the files as they are.',
  }),
  'merge-conflict': quality(
    'Make the change again on the files as they are now, keep what others changed, and leave no conflict markers.',
    { cause: 'The same lines were changed in two ways.' },
  ),
  'context-missing': strategy('never-retry', { cause: 'Something that it needs is missing.' }),
  'tool-failed': quality('Read the error, remove its cause, and do not repeat the same approach.'),
  'verification-failed': quality('Make the failing checks pass; they run again exactly as shown.'),
  'verifier-unreadable': quality('', { cause: 'The verifier gave no verdict that can be read.' }),
  'evidence-gap': quality('Name the source of every claim; remove a claim that has none.', {
    cause: 'Claims have no evidence.',
  }),
  'unconfirmed-data': quality('Confirm the named data from a source or remove it; do not invent it.', {
    cause: 'Data in the result could not be confirmed.',
  }),
  'rate-limited': strategy('transient', { cause: 'A service allows no more requests for now.' }),
  overloaded: strategy('transient', { cause: 'A service was overloaded or not available.' }),
  'context-overflow': quality(
    'Work on less at a time: read only the parts that are needed, and print only what is asked for.',
    { cause: 'There was more text than the model can handle at once.' },
  ),
  auth: strategy('never-retry', {
    cause: 'The program was refused by a service: the credentials are missing or wrong.',
  }),
  permission: strategy('never-retry', { cause: 'The program is not permitted to do what it tried.' }),
  subscription: strategy('never-retry', {
    cause: 'The account has no credit, or its plan does not cover the request.',
  }),
  environment: strategy('environment', { cause: 'A problem with the machine or the network stopped it.' }),
  safety: strategy('never-retry', { cause: 'What it did or asked for is not allowed.' }),
  budget: strategy('never-retry', { cause: 'What it was allowed to spend is used up.' }),
  blocked: strategy('blocked'),
  cancelled: strategy('never-retry', { cause: 'It was cancelled.' }),
  unknown: quality(''),
};

/** The strategy for a failure of this type in one subtask. */
export function strategyFor(type: FailureType, overrides: RecoveryOverrides): RecoveryStrategy {
  return { ...strategies[type], ...overrides[type] };
}

/** Merges layers from the weakest to the strongest (plan, role, subtask): a stronger layer replaces single settings, not whole types. */
export function mergeRecovery(layers: readonly (RecoveryOverrides | undefined)[]): RecoveryOverrides {
  const merged: RecoveryOverrides = {};
  for (const type of failureTypes) {
    for (const layer of layers) {
      const given = layer?.[type];
      if (given !== undefined) merged[type] = { ...merged[type], ...given };
    }
  }
  return merged;
}

/** Adds the subtask's own emphasis to a failure. */
export function addEmphasis(failure: Failure, overrides: RecoveryOverrides): Failure {
  const emphasis = overrides[failure.type]?.emphasis;
  return emphasis === undefined ? failure : { ...failure, suggestedFix: emphasis };
}

/** Computes the time limit: longer after each failure whose strategy raises it, with an upper bound. */
export function timeLimitAfter(
  failed: Partial<Record<FailureType, number>>,
  first: number,
  overrides: RecoveryOverrides,
  ceiling: number = defaultTaskLimits.timeoutGrowthCeiling,
): number {
  let grown = first;
  for (const type of failureTypes) grown *= strategyFor(type, overrides).timeoutFactor ** (failed[type] ?? 0);
  return Math.round(Math.min(grown, first + ceiling));
}
