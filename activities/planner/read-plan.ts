import { requireChecks } from '../../domain/checks/require-checks.ts';
import { buildKnownNames } from '../../domain/config/known-names.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import { assessShell } from '../../domain/gates/assess-shell.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { GateFacts } from '../../domain/types/basic/gate.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { PlanParts } from '../../domain/plan/complete-plan.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkReplyContract, type ReplyRules } from '../../domain/planner/check-contract.ts';
import { demoteSynthesis } from '../../domain/planner/demote-synthesis.ts';
import { groundPlan, isReading } from '../../domain/planner/ground-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { keepJudges, namedExecutors, plannedInput, type PlanBrief } from '../../domain/planner/planner-input.ts';
import { formatProblem } from '../../domain/planner/planner-prompt.ts';
import { hasAgent } from '../../domain/llm/choose-executor.ts';
import { readPlanReply } from '../../domain/planner/read-reply.ts';
import type { PlanPath, PlanProblem } from '../../domain/input/problem.ts';
import { draftPlan, type DraftedPlan } from '../prepare/draft-plan.ts';
import { checkFacts } from '../prepare/gate-checks.ts';
import type { Secrets } from '../redact/secrets.ts';

/** The place where the plan will run. */
export interface PlanLocation {
  workspace: string;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
}

/** Reads a model's reply as a plan that can run here; else lists everything that is wrong with it, in words for the model. */
export async function readPlan(
  text: string,
  brief: PlanBrief,
  place: PlanLocation,
): Promise<{ plan: DraftedPlan } | { problems: string[] }> {
  const reply = readPlanReply(text);
  if (!reply.ok) return { problems: [reply.problem] };
  const gate = await checkFacts(brief.config, { ...place, env: place.secrets.environment });
  const refused = checkReplyContract(reply.value, replyRules(brief, gate));
  const { subtasks } = demoteSynthesis(keepJudges(brief, reply.subtasks));
  const names = buildKnownNames(brief.config);
  const parsed = parsePlan(plannedInput(brief, subtasks), names);
  if (!parsed.ok) return { problems: joinProblems(refused, parsed.problems) };
  const agent = hasAgent(brief.config);
  // An inspection by the usual executor is asked to change nothing, so it has nothing that a check could look at.
  const checked = agent ? subtasks : subtasks.filter((subtask) => !isReading(subtask));
  const raw = plannedInput(brief, groundPlan(subtasks, { agent }));
  const grounded = parsePlan(raw, names);
  if (!grounded.ok) return { problems: grounded.problems.map(formatProblem) };
  try {
    const { config, projectTest } = brief;
    const unchecked = requireChecks(ofReply(planUnderConfig(grounded.plan, raw, config), checked), placesIn(subtasks));
    const problems = joinProblems(refused, unchecked);
    if (problems.length > 0) return { problems };
    return { plan: await draftPlan({ plan: grounded.plan, raw, config, ...place, gate, projectTest, ofModel: 'all' }) };
  } catch (error) {
    return { problems: formatRefusal(error) };
  }
}

/** The subtasks that the model wrote itself: neither the inspection before its plan nor the check after it. */
const ofReply = ({ subtasks }: Pick<PlanParts, 'subtasks'>, reply: readonly unknown[]): Subtask[] => {
  const named = new Set(reply.map(readId));
  return subtasks.filter(({ id }) => named.has(id));
};

/** Finds the place at which a reply names a subtask. */
export function placesIn(reply: readonly unknown[]): (id: string) => PlanPath {
  const ids = reply.map(readId);
  return (id) => ['subtasks', ids.indexOf(id)];
}

const readId = (subtask: unknown): string | undefined =>
  isPlainObject(subtask) && typeof subtask['id'] === 'string' ? subtask['id'].normalize('NFC') : undefined;

/** All of it, in words for the model: what is said about one place is said once. */
export function joinProblems(refused: readonly PlanProblem[], others: readonly PlanProblem[]): string[] {
  const places = new Set(refused.map(({ where }) => where));
  return [...refused, ...others.filter(({ where }) => !places.has(where))].map(formatProblem);
}

/** It names what is not here: a judge without a model, a tool that needs one. */
export function formatRefusal(error: unknown): string[] {
  if (!(error instanceof HeddleError)) throw error;
  return (error.problems.length > 0 ? error.problems : [error.toJSON()]).map(formatProblem);
}

/** Rules for the parts of a plan that a model may write here. */
export const replyRules = (brief: PlanBrief, gate: GateFacts): ReplyRules => ({
  executors: namedExecutors(brief),
  assess: (command) => assessShell(command, gate),
});
