import { listNeeds } from '../executors/kinds.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Model } from '../types/llm.ts';
import type { PlanPreview } from '../types/planner.ts';
import type { Subtask } from '../types/subtask.ts';
import { computeCost } from '../llm/price.ts';
import { routeModel } from '../llm/route-model.ts';
import { roundUsd } from '../util/usd.ts';

/** Estimates one typical attempt for each agent: it shows how large a plan is, not what it will cost. */
export function estimatePlan(subtasks: readonly Subtask[], models: readonly Model[]): PlanPreview['estimate'] {
  const usage = { ...limits.planner.typical, cached: 0, reasoning: 0 };
  let costUsd = 0;
  let tokens = 0;
  const unpriced = new Set<string>();
  for (const { executor, tier } of subtasks) {
    // An agent program works like an agent, but nobody knows its price beforehand.
    if (executor.kind === 'command' && executor.output !== undefined) {
      tokens += usage.input + usage.output;
      unpriced.add(executor.output);
    }
    for (const { role, name } of listNeeds(executor).models) {
      tokens += usage.input + usage.output;
      const model = routeModel(models, { role, tier, name });
      costUsd += computeCost(usage, model?.price);
      if (model !== undefined && model.price === undefined) unpriced.add(model.name);
    }
  }
  return { costUsd: roundUsd(costUsd), tokens, ...(unpriced.size === 0 ? {} : { unpriced: [...unpriced] }) };
}
