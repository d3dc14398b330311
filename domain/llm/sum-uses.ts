import type { ModelUse } from '../types/agent.ts';
import { roundUsd } from '../util/usd.ts';

export type RoleUse = Required<ModelUse>;

/** Sums the use of each model in each role, in the order of their first requests. */
export function sumUses(uses: readonly ModelUse[]): RoleUse[] {
  const sums = new Map<string, RoleUse>();
  for (const { model, role, calls, tokens, costUsd } of uses) {
    const key = `${role} ${model}`;
    const sum = sums.get(key) ?? { model, role, calls: 0, tokens: 0, costUsd: 0 };
    sums.set(key, {
      model,
      role,
      calls: sum.calls + calls,
      tokens: sum.tokens + tokens,
      costUsd: roundUsd(sum.costUsd + costUsd),
    });
  }
  return [...sums.values()];
}
