import type { Issue } from '../../../domain/types/attempt.ts';
import type { Check } from './check.ts';

/** An agent that says it is done has made up for every tool call that failed: by the same tool, or in another way. */
export const checkTools: Check = ({ input: { checks, execution } }) => {
  const { toolFailures: policy = 'warn' } = checks;
  const left = policy === 'off' ? [] : (execution.toolFailures ?? []).filter((failure) => failure.left === true);
  const severity = policy === 'enforce' ? 'hard' : 'advisory';
  return Promise.resolve(
    left.map(({ tool, last }): Issue => ({
      code: 'tool-failed',
      severity,
      message: `The last call of ${tool} failed, and nothing made up for it; do what it was for, or report what is missing.`,
      details: last,
    })),
  );
};
