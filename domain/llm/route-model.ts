import { limits } from '../limits/domain-limits.ts';
import type { Model, ModelRole } from '../types/llm.ts';
import type { Tier } from '../types/subtask.ts';

/** A role at a tier, or one model by its name, which serves the role at every tier. */
export interface ModelRequirement {
  role: ModelRole;
  tier: Tier;
  name?: string | undefined;
}

/** Returns the model of the nearest tier at or above, else of the highest below; among equals the first. Undefined when none serves the role. */
export function routeModel(models: readonly Model[], { role, tier, name }: ModelRequirement): Model | undefined {
  const serving = models.filter((model) => model.roles.includes(role) && (name === undefined || model.name === name));
  const nearest = (best: Model, next: Model): Model => (distance(next, tier) < distance(best, tier) ? next : best);
  const [first, ...others] = serving;
  return first === undefined ? undefined : others.reduce(nearest, first);
}

/** The strongest model plans, because everything else follows from the plan. */
export const plannerTier: Tier = limits.highestTier;

/** Every lower tier is farther than every higher one. */
const distance = (model: Model, tier: Tier): number =>
  model.tier >= tier ? model.tier - tier : tier - model.tier + limits.highestTier;

/** A model below the requested tier: people are told. */
export const fallsShort = (model: Model, tier: Tier): boolean => model.tier < tier;

/** Explains why a weaker model works at a tier. */
export const formatFallback = (model: Model, { role, tier }: ModelRequirement): string =>
  `no model of tier ${tier} or above serves \`${role}\`: \`${model.name}\` (tier ${model.tier}) does`;
