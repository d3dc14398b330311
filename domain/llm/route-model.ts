import { limits } from '../limits/domain-limits.ts';
import type { Model, ModelRole } from '../types/llm.ts';
import type { Tier } from '../types/subtask.ts';

/** Who is asked for: a role at a tier, or one model by its name, which serves the role at every tier. */
export interface WantedModel {
  role: ModelRole;
  tier: Tier;
  name?: string | undefined;
}

/** The model of the nearest tier at or above, else of the highest below; of equal ones the first. Undefined when none serves the role. */
export function routeModel(models: readonly Model[], { role, tier, name }: WantedModel): Model | undefined {
  const serving = models.filter((model) => model.roles.includes(role) && (name === undefined || model.name === name));
  const nearest = (best: Model, next: Model): Model => (distance(next, tier) < distance(best, tier) ? next : best);
  const [first, ...others] = serving;
  return first === undefined ? undefined : others.reduce(nearest, first);
}

/** The strongest there is plans: everything else follows from it. */
export const plannerTier: Tier = limits.highestTier;

/** Every tier below is farther than every tier above. */
const distance = (model: Model, tier: Tier): number =>
  model.tier >= tier ? model.tier - tier : tier - model.tier + limits.highestTier;

/** Whether a weaker model than was asked for takes the place: people are told. */
export const fallsShort = (model: Model, tier: Tier): boolean => model.tier < tier;

/** In words: why a weaker model works at a tier. */
export const formatFallback = (model: Model, { role, tier }: WantedModel): string =>
  `no model of tier ${tier} or above serves \`${role}\`: \`${model.name}\` (tier ${model.tier}) does`;
