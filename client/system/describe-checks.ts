import type { Check } from '../ports/service.ts';

/** The checks of this machine as JSON, with the sum of them. */
export const describeChecks = (checks: readonly Check[]) => ({
  ok: checks.every((check) => check.ok),
  checks: checks.map(({ name, ok, detail, hint }) => ({
    ...{ name, ok, found: detail },
    ...(hint === undefined ? {} : { hint }),
  })),
});
