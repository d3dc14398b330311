import type { ModelUse } from '../types/agent.ts';
import { roundUsd } from '../util/usd.ts';

export type RoleUse = Required<ModelUse>;

/** What each model did in each role, in the order in which they were first asked. */
export function sumUses(uses: readonly ModelUse[]): RoleUse[] {
  const sums = new Map<string, RoleUse>();
  for (const { model, role = 'executor', calls, tokens, costUsd } of uses) {
    const key = `${role} ${model}`;
    const so = sums.get(key) ?? { model, role, calls: 0, tokens: 0, costUsd: 0 };
    sums.set(key, {
      model,
      role,
      calls: so.calls + calls,
      tokens: so.tokens + tokens,
      costUsd: roundUsd(so.costUsd + costUsd),
    });
  }
  return [...sums.values()];
}
