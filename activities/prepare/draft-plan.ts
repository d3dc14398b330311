import { listTaskVariables } from '../../domain/planner/task-variables.ts';
import { markForReview } from '../../domain/checks/mark-for-review.ts';
import type { ProjectTest } from '../../domain/types/planner.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { CheckedPlan } from '../../domain/schema/plan-schema.ts';
import { planError } from '../../domain/input/problem.ts';
import type { GateFacts } from '../../domain/types/basic/gate.ts';
import type { PlanParts } from '../../domain/plan/complete-plan.ts';
import { selectContextRules } from '../../domain/plan/select-context-rules.ts';
import { defaultGuards, selectGuards } from '../../domain/plan/select-guards.ts';
import { selectModels } from '../../domain/plan/select-models.ts';
import type { PagedDefinitions } from '../../domain/plan/plan-pages.ts';
import type { Secrets } from '../redact/secrets.ts';
import { gateChecks } from './gate-checks.ts';
import { preflight } from './preflight.ts';
import { prepareServers } from '../mcp/prepare-servers.ts';
import { draftPages } from './store-plan.ts';
import { readCommands } from '../../domain/checks/named-checks.ts';

/** A checked plan, what was sent, and where it will run. */
export interface Ground {
  plan: CheckedPlan;
  raw: Record<string, unknown>;
  config: FrozenConfig;
  workspace: string;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
  /** It stands for a plan that a model is still to make. */
  isGoal?: boolean;
  /** A model made it, or may have: its commands pass this gate, and run in the sandbox. */
  gate?: GateFacts;
  projectTest?: ProjectTest | undefined;
  /** The subtasks that pass the gate; all of them where nothing is said. */
  gated?: 'all' | ReadonlySet<string>;
  /** The subtasks that a model wrote: none of their results that matter stands unchecked. None where nothing is said. */
  ofModel?: 'all' | ReadonlySet<string>;
}

export interface DraftedPlan {
  parts: PlanParts;
  /** As it was written. */
  raw: Record<string, unknown>;
  /** Its definitions, not stored yet. */
  drafts: PagedDefinitions;
  /** Findings that are reported and stop nothing. */
  warnings: string[];
}

/** Completes a plan under its config and looks whether it can run here. Throws everything that would stop it later and can be seen now. */
export async function draftPlan(ground: Ground): Promise<DraftedPlan> {
  const { plan, raw, config, workspace, root, secrets, isGoal, gate, ofModel = new Set<string>() } = ground;
  const completed = planUnderConfig(plan, raw, config);
  const { budget } = completed;
  const gated = gate === undefined ? completed.subtasks : await throughGate(completed.subtasks, gate, ground);
  const supply = { models: config.models, costLimited: budget.costUsd !== undefined };
  const parts = { ...completed, subtasks: markForReview({ subtasks: gated, written: ofModel, ...supply }) };
  const drafted = await draftDefinitions(parts, { config, workspace, root, secrets, plans: isGoal === true });
  return { parts, raw, ...drafted };
}

interface Drafting extends Pick<Ground, 'config' | 'workspace' | 'root' | 'secrets'> {
  /** True while a model is still to make the plan. */
  plans?: boolean;
  /** Subtasks that were not looked at before; all of them where nothing is said. */
  fresh?: readonly Subtask[];
}

/** Looks whether definitions can run here, and puts them into pages. */
export async function draftDefinitions(
  { goal, subtasks, ladder, budget }: Pick<PlanParts, 'goal' | 'subtasks' | 'ladder' | 'budget'>,
  { config, workspace, root, secrets, plans = false, fresh = subtasks }: Drafting,
): Promise<Pick<DraftedPlan, 'drafts' | 'warnings'>> {
  const supply = { goal, models: config.models, ladder, costLimited: budget.costUsd !== undefined, plans };
  const guards = selectGuards(subtasks, config.values);
  const { sandbox } = { ...defaultGuards, ...guards };
  secrets.noteNames(listTaskVariables(config, subtasks));
  const servers = await prepareServers(subtasks, config.values, { workspace, root, secrets, sandbox });
  const { warnings } = await preflight(
    fresh,
    { workspace, secrets, sandbox },
    { ...supply, servers: servers.problems },
  );
  const drafts = draftPages(goal, subtasks, {
    ...config.values.redact,
    models: selectModels(subtasks, config.models),
    guards,
    context: selectContextRules(subtasks, config.values),
    prompts: config.values.prompts ?? {},
    projectNotes: config.projectNotes,
    servers: servers.servers,
    inputs: config.process?.variables ?? {},
  });
  return { drafts, warnings: [...warnings, ...servers.warnings] };
}

/** Passes the commands of a model's plan through the gate. Throws when one is denied. */
export async function throughGate(
  subtasks: readonly Subtask[],
  gate: GateFacts,
  {
    raw,
    config,
    secrets,
    projectTest,
    gated = 'all',
  }: Pick<Ground, 'raw' | 'config' | 'secrets' | 'projectTest' | 'gated'>,
): Promise<Subtask[]> {
  const passes = ({ id }: Subtask): boolean => gated === 'all' || gated.has(id);
  const ofGoal = listGoalChecks(raw);
  const ofProcess = (config.process?.phases ?? []).flatMap(({ subtask }) => listGoalChecks(subtask));
  const looked: Awaited<ReturnType<typeof gateChecks>>[] = [];
  for (const subtask of subtasks)
    looked.push(
      passes(subtask)
        ? await gateChecks(subtask, gate, { secrets, projectTest, ofGoal, ofProcess })
        : { subtask, problems: [] },
    );
  const problems = looked.flatMap((each) => each.problems);
  if (problems.length > 0) throw planError(problems);
  return looked.map(({ subtask }) => subtask);
}

/** The verify commands of the task's end, as they were sent. */
export function listGoalChecks({ verify }: Record<string, unknown>): string[] {
  return readCommands(verify).map(({ command }) => command);
}
