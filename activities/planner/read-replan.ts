import { hasCheck } from '../../domain/checks/has-check.ts';
import { markForReview } from '../../domain/checks/mark-for-review.ts';
import { requireChecks } from '../../domain/checks/require-checks.ts';
import { buildKnownNames } from '../../domain/config/known-names.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import type { PlanChanges, PlanSoFar, Replan, Superseded } from '../../domain/types/plan.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { checkReplan } from '../../domain/plan/check-replan.ts';
import type { PagedDefinitions } from '../../domain/plan/plan-pages.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkReplyContract } from '../../domain/planner/check-contract.ts';
import { demoteSynthesis } from '../../domain/planner/demote-synthesis.ts';
import { withoutAgents } from '../../domain/planner/ground-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { isPlannedByModel, plannedInput, type PlanBrief } from '../../domain/planner/planner-input.ts';
import { formatProblem } from '../../domain/planner/planner-prompt.ts';
import { hasAgent } from '../../domain/llm/choose-executor.ts';
import { readPlanReply } from '../../domain/planner/read-reply.ts';
import { buildKept, readReplanHeader, completeReplan } from '../../domain/planner/replan-reply.ts';
import { pickChanges, listSuperseded } from '../../domain/planner/replan-view.ts';
import { quoteName } from '../../domain/input/problem.ts';
import { draftDefinitions, throughGate } from '../prepare/draft-plan.ts';
import { checkFacts } from '../prepare/gate-checks.ts';
import { joinProblems, placesIn, replyRules, formatRefusal, type PlanLocation } from './read-plan.ts';

/** The plan that runs, and what is to be changed about it. */
export interface RunningPlan {
  before: readonly Subtask[];
  have: PlanSoFar;
}

/** A new plan that can run here, not stored yet. */
export interface ReadReplan {
  subtasks: Subtask[];
  changes: PlanChanges;
  drafts: PagedDefinitions;
}

/** Reads a model's reply as a plan that replaces the running one; else lists everything that is wrong with it, in words for the model. */
export async function readReplan(
  text: string,
  { before, have }: RunningPlan,
  brief: PlanBrief,
  place: PlanLocation,
): Promise<{ plan: ReadReplan } | { problems: string[] }> {
  const reply = readPlanReply(text);
  if (!reply.ok) return { problems: [reply.problem] };
  const rationale = readReplanHeader(reply.value);
  if (!rationale.ok) return { problems: [rationale.problem] };
  const { reason, superseded } = rationale;
  const fixed = changedGoalCheck(before, superseded, reply.subtasks);
  if (fixed !== undefined) return { problems: [fixed] };
  const knownIds = new Set(before.map(({ id }) => id));
  const whole = completeReplan(reply.subtasks, superseded, before, have);
  const gate = await checkFacts(brief.config, { ...place, env: place.secrets.environment });
  const rules = { ...replyRules(brief, gate), knownIds };
  const refused = checkReplyContract({ ...reply.value, subtasks: whole.subtasks }, rules);
  const { subtasks, demoted } = demoteSynthesis(whole.subtasks);
  const { config, projectTest } = brief;
  const raw = replannedInput(brief, subtasks);
  const parsed = parsePlan(raw, buildKnownNames(config));
  const problems = joinProblems(refused, parsed.ok ? [] : parsed.problems);
  if (problems.length > 0 || !parsed.ok) return { problems };
  try {
    const parts = planUnderConfig(parsed.plan, raw, config);
    const written = await throughGate(parts.subtasks, gate, { raw, config, secrets: place.secrets, projectTest });
    const kept = written.flatMap((completed): Replan['kept'] => {
      const change = whole.changes.get(completed.id);
      return change === undefined ? [] : [buildKept(change, completed, demoted.includes(completed.id))];
    });
    const added = written.filter(({ id }) => !knownIds.has(id));
    const checked = checkReplan(before, have, { reason, kept, added, superseded });
    if ('problems' in checked) return checked;
    const { changes } = checked;
    const fresh = checked.subtasks.filter(({ id }) => changes.added.includes(id) || changes.retargeted.includes(id));
    const leftUnchecked = isPlannedByModel(brief) ? [] : before.filter((subtask) => !hasCheck(subtask));
    const ofPerson = new Set(leftUnchecked.map(({ id }) => id));
    const rewritten = fresh.filter(({ id }) => !ofPerson.has(id) && isRewritten(whole.changes.get(id)));
    const unchecked = requireChecks(rewritten, placesIn(reply.subtasks));
    if (unchecked.length > 0) return { problems: unchecked.map(formatProblem) };
    const looked = markForReview({
      subtasks: checked.subtasks,
      written: isPlannedByModel(brief) ? 'all' : new Set(rewritten.map(({ id }) => id)),
      superseded: listSuperseded(have, superseded),
      models: config.models,
      costLimited: parts.budget.costUsd !== undefined,
    });
    const { drafts } = await draftDefinitions({ ...parts, subtasks: looked }, { config, ...place, fresh });
    return { plan: { ...checked, subtasks: looked, drafts } };
  } catch (error) {
    return { problems: formatRefusal(error) };
  }
}

/** Keys that move a subtask to another place in the plan, and leave its work and its checks as they were. */
const placing: ReadonlySet<string> = new Set(['id', 'dependsOn', 'tier', 'synthesis']);

/** A model wrote what the subtask does; a new subtask has no entry. */
const isRewritten = (change: Record<string, unknown> | undefined): boolean =>
  change === undefined || Object.keys(change).some((key) => !placing.has(key));

/** The check of the whole goal is not the planner's to change. */
function changedGoalCheck(
  before: readonly Subtask[],
  superseded: readonly Superseded[],
  reply: readonly unknown[],
): string | undefined {
  const fixed = before.find(({ goalCheck }) => goalCheck === true);
  if (fixed === undefined) return undefined;
  const goalCheckEntry = reply.find((entry) => isPlainObject(entry) && entry['id'] === fixed.id);
  const isKept =
    !isPlainObject(goalCheckEntry) || Object.keys(pickChanges(goalCheckEntry, fixed)).every((key) => key === 'id');
  if (isKept && superseded.every(({ id }) => id !== fixed.id)) return undefined;
  return `${quoteName(fixed.id)} checks the result of the whole goal and stays as it is: list it with its id alone.`;
}

/** A new subtask is for an agent, unless plan or config names another executor. */
function replannedInput(brief: PlanBrief, subtasks: unknown[]): Record<string, unknown> {
  const { subtasks: _, ...head } = brief.raw;
  return plannedInput({ ...brief, raw: head }, hasAgent(brief.config) ? subtasks : withoutAgents(subtasks));
}
