import type { FrozenConfig } from '../../domain/config/layers.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import type { Plan } from '../../domain/schema/plan-schema.ts';
import { planError } from '../../domain/source/problem.ts';
import type { GateFacts } from '../../domain/model/gate.ts';
import type { PlanParts } from '../../domain/plan/complete-plan.ts';
import { contextFor } from '../../domain/plan/context-for.ts';
import { defaultGuards, guardsFor } from '../../domain/plan/guards-for.ts';
import { modelsFor } from '../../domain/plan/models-for.ts';
import type { PagedDefinitions } from '../../domain/plan/plan-pages.ts';
import type { Variables } from '../programs/base-environment.ts';
import { gateChecks } from './gate-checks.ts';
import { preflight } from './preflight.ts';
import { draftPages } from './store-plan.ts';

/** A checked plan, what was sent, and where it will run. */
export interface Ground {
  plan: Plan;
  raw: Record<string, unknown>;
  config: FrozenConfig;
  workspace: string;
  env: Variables;
  /** It stands for a plan that a model is still to make. */
  isGoal?: boolean;
  /** A model made it: its commands pass this gate, and run in the sandbox. */
  gate?: GateFacts;
}

export interface DraftedPlan {
  parts: PlanParts;
  /** As it was written. */
  raw: Record<string, unknown>;
  /** Its definitions, not stored yet. */
  drafts: PagedDefinitions;
  /** What is only worth a word. */
  warnings: string[];
}

/** Completes a plan under its config and looks whether it can run here. Throws everything that would stop it later and can be seen now. */
export async function draftPlan({ plan, raw, config, workspace, env, isGoal, gate }: Ground): Promise<DraftedPlan> {
  const completed = planUnderConfig(plan, raw, config);
  const parts = gate === undefined ? completed : throughGate(completed, gate);
  const { subtasks } = parts;
  const costLimited = parts.budget.costUsd !== undefined;
  const supply = { models: config.models, ladder: parts.ladder, costLimited, plans: isGoal === true };
  const guards = guardsFor(subtasks, config.values);
  const { sandbox } = { ...defaultGuards, ...guards };
  const { warnings } = await preflight(subtasks, { workspace, env, sandbox }, supply);
  const drafts = draftPages(parts.goal, subtasks, {
    ...config.values.redact,
    models: modelsFor(subtasks, config.models),
    guards,
    context: contextFor(subtasks, config.values),
    prompts: config.values.prompts ?? {},
  });
  return { parts, raw, drafts, warnings };
}

function throughGate(parts: PlanParts, gate: GateFacts): PlanParts {
  const gated = parts.subtasks.map((subtask) => gateChecks(subtask, gate));
  const problems = gated.flatMap((each) => each.problems);
  if (problems.length > 0) throw planError(problems);
  return { ...parts, subtasks: gated.map(({ subtask }) => subtask) };
}
