import { estimateTokenCount } from 'tokenx';

import type { ModelNeed } from '../../domain/executors/kind.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import type { Model } from '../../domain/types/llm.ts';
import type { Rung, Subtask } from '../../domain/types/subtask.ts';
import { listModelNeeds } from '../../domain/plan/judge-needs.ts';
import { fallsShort, plannerTier, routeModel, formatFallback } from '../../domain/llm/route-model.ts';
import { hasKnownCost } from '../../domain/llm/price.ts';
import { reduceLadder } from '../../domain/recovery/ladder.ts';
import { quoteName } from '../../domain/input/problem.ts';
import { nearest } from '../../domain/text/nearest.ts';
import type { Secrets } from '../redact/secrets.ts';

/** The models that a task may use, and the limits that they must keep. */
export interface ModelSupply {
  models: readonly Model[];
  /** The ladder of the task: its rungs say at which tiers a subtask may work. */
  ladder: readonly Rung[];
  /** True when the plan has a budget of `costUsd`, which only prices can keep. */
  costLimited: boolean;
  goal: string;
  /** True when a model is to plan the goal. */
  plans?: boolean;
}

/** Findings about the models that the agents of a plan would use. */
interface Findings {
  /** Models that are missing or cannot work, each said once. */
  problems: Problem[];
  /** In words: which weaker models take a place. */
  fallbacks: string[];
  /** The models that some rung may reach. */
  reached: Set<Model>;
}

/** Looks for what the models of all subtasks need, at every tier that a rung may reach. */
export function checkModelNeeds(
  subtasks: readonly Subtask[],
  supply: ModelSupply & { secrets: Pick<Secrets, 'value'> },
): Findings {
  const problems = new Map<string, Problem>();
  const fallbacks = new Set<string>();
  const reached = new Set<Model>();
  const report = (problem: Problem, about: string): void => {
    const key = `${problem.code} ${about}`;
    if (!problems.has(key)) problems.set(key, problem);
  };
  const look = (id: string, need: ModelNeed, tier: Subtask['tier'], prompt = 0): void => {
    const { role, name } = need;
    const model = routeModel(supply.models, { role, tier, name });
    if (model === undefined) return report(notFound(id, need, supply.models), name ?? role);
    reached.add(model);
    // A plan is made by the strongest there is, whatever its tier.
    if (name === undefined && role !== 'planner' && fallsShort(model, tier))
      fallbacks.add(formatFallback(model, { role, tier }));
    const { keyEnv } = model.provider;
    if (keyEnv !== undefined && !isSet(supply.secrets, keyEnv)) report(keyMissing(model, keyEnv), keyEnv);
    if (prompt > model.context - model.output) report(tooLarge(id, model, prompt), `${id} ${model.name}`);
    if (supply.costLimited && !hasKnownCost(model)) report(priceMissing(id, model), model.name);
  };
  const goal = estimateTokenCount(supply.goal);
  for (const subtask of subtasks)
    for (const need of listModelNeeds(subtask)) {
      // A judge is shown no more of these than fits.
      const prompt = need.role === 'verifier' ? 0 : goal + estimateTokenCount(subtask.description);
      for (const tier of listTiers(subtask, supply.ladder)) look(subtask.id, need, tier, prompt);
    }
  if (supply.plans === true) look('the plan', { role: 'planner', key: 'planning' }, plannerTier, goal);
  return { problems: [...problems.values()], fallbacks: [...fallbacks], reached };
}

/** The tiers at which a subtask may be tried. */
const listTiers = ({ ladder, tier }: Subtask, ofTask: readonly Rung[]): Set<Subtask['tier']> =>
  new Set(reduceLadder(ladder ?? ofTask, tier).steps.map((step) => step.tier));

/** An empty key opens nothing. */
const isSet = (secrets: Pick<Secrets, 'value'>, name: string): boolean => (secrets.value(name) ?? '') !== '';

function notFound(id: string, { role, name, key }: ModelNeed, models: readonly Model[]): Problem {
  const names = models.map((model) => model.name);
  const there = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  const problem = (message: string, hint: string): Problem => ({
    code: 'MODEL_NOT_FOUND',
    message,
    where: `subtask ${id}, ${role === 'verifier' ? key : `executor.${key}`}`,
    hint,
  });
  const serve = `Add \`${role}\` to \`roles\` of a model in heddle.toml; \`heddle models\` shows which model serves what.`;
  const add = 'add a table `[models.NAME]` with `provider` and `id` to heddle.toml';
  if (name === undefined) {
    const message = `No model serves the role \`${role}\`, which ${id} needs; ${there}`;
    return problem(message, names.length === 0 ? `To have one, ${add}.` : serve);
  }
  if (names.includes(name))
    return problem(`The model ${quoteName(name)} of ${id} does not serve the role \`${role}\``, serve);
  const message = `There is no model ${quoteName(name)}, which ${id} names`;
  const nearestName = nearest(name, names);
  if (nearestName === undefined) return problem(`${message}; ${there}`, `Name an existing model, or ${add}.`);
  return problem(`${message}; did you mean \`${nearestName}\`?`, `Write \`${nearestName}\`, or ${add}.`);
}

const keyMissing = ({ name, provider }: Model, variable: string): Problem => ({
  code: 'MODEL_KEY_MISSING',
  message: `The variable ${variable} with the key of ${provider.name}, which serves the model ${name}, is not set`,
  where: `providers.${provider.name}.keyEnv`,
  hint: `Set ${variable} and run again; a task of another client or host needs it in the environment of its worker.`,
});

const tooLarge = (id: string, { name, context, output }: Model, prompt: number): Problem => ({
  code: 'PROMPT_TOO_LARGE',
  message: `The prompt of ${id} alone has about ${prompt} tokens; the model ${name}, which it may use, takes ${context} with ${output} of them for its reply`,
  where: id === 'the plan' ? 'goal' : `subtask ${id}, description`,
  hint: `Put what is long into files of the workspace and name them, or use a model with a larger \`context\`.`,
});

const priceMissing = (id: string, { name }: Model): Problem => ({
  code: 'MODEL_PRICE_MISSING',
  message: `The model ${name}, which ${id} may use, has no price: a budget of \`costUsd\` could not be kept`,
  where: `models.${name}.price`,
  hint: `Add \`price = { in = 1.0, out = 5.0 }\` (USD per million tokens; zeros when it is free) to \`[models.${name}]\`, or remove \`costUsd\` from the budget.`,
});
