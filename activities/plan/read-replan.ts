import { namesOf } from '../../domain/config/names-of.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import type { PlanChanges, PlanSoFar, Replan } from '../../domain/model/plan.ts';
import type { Subtask } from '../../domain/model/subtask.ts';
import { checkReplan } from '../../domain/plan/check-replan.ts';
import type { PagedDefinitions } from '../../domain/plan/plan-pages.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkReplyContract } from '../../domain/planning/check-contract.ts';
import { demoteSynthesis } from '../../domain/planning/demote-synthesis.ts';
import { plannedInput, type PlanBrief } from '../../domain/planning/planned-input.ts';
import { readPlanReply } from '../../domain/planning/read-reply.ts';
import { keptAs, readReplanWords, wholeReplan } from '../../domain/planning/replan-reply.ts';
import { draftDefinitions, throughGate } from '../prepare/draft-plan.ts';
import { checkFacts } from '../prepare/gate-checks.ts';
import { joinProblems, replyRules, sayRefusal, type PlanPlace } from './read-plan.ts';

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

/** What a model said, as a plan that takes the place of the one that runs; else everything that is wrong with it, in words for the model. */
export async function readReplan(
  text: string,
  { before, have }: RunningPlan,
  brief: PlanBrief,
  place: PlanPlace,
): Promise<{ plan: ReadReplan } | { problems: string[] }> {
  const reply = readPlanReply(text);
  if (!reply.ok) return { problems: [reply.problem] };
  const words = readReplanWords(reply.value);
  if (!words.ok) return { problems: [words.problem] };
  const { reason, superseded } = words;
  const known = new Set(before.map(({ id }) => id));
  const whole = wholeReplan(reply.subtasks, superseded, before, have);
  const gate = await checkFacts(brief.config, place);
  const rules = { ...replyRules(brief, gate), known };
  const refused = checkReplyContract({ ...reply.value, subtasks: whole.subtasks }, rules);
  const { subtasks, demoted } = demoteSynthesis(whole.subtasks);
  const { config } = brief;
  const raw = replannedInput(brief, subtasks);
  const parsed = parsePlan(raw, namesOf(config));
  const problems = joinProblems(refused, parsed.ok ? [] : parsed.problems);
  if (problems.length > 0 || !parsed.ok) return { problems };
  try {
    const parts = planUnderConfig(parsed.plan, raw, config);
    const written = throughGate(parts.subtasks, gate);
    const kept = written.flatMap((completed): Replan['kept'] => {
      const change = whole.said.get(completed.id);
      return change === undefined ? [] : [keptAs(change, completed, demoted.includes(completed.id))];
    });
    const added = written.filter(({ id }) => !known.has(id));
    const checked = checkReplan(before, have, { reason, kept, added, superseded });
    if ('problems' in checked) return checked;
    const { changes } = checked;
    const fresh = checked.subtasks.filter(({ id }) => changes.added.includes(id) || changes.retargeted.includes(id));
    const { drafts } = await draftDefinitions({ ...parts, subtasks: checked.subtasks }, { config, ...place, fresh });
    return { plan: { ...checked, drafts } };
  } catch (error) {
    return { problems: sayRefusal(error) };
  }
}

/** What is new is for an agent, unless plan or config says who does the work. */
function replannedInput(brief: PlanBrief, subtasks: unknown[]): Record<string, unknown> {
  const { subtasks: _, ...head } = brief.raw;
  return plannedInput({ ...brief, raw: head }, subtasks);
}
