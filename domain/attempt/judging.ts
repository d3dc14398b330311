import type { Grant } from '../types/agent.ts';
import type { Verdict } from '../types/attempt.ts';
import type { Judging } from '../types/events.ts';
import type { JudgedResult, JudgeOutcome, Judgement } from '../types/judgement.ts';
import type { Finished, Suspended } from '../types/outcome.ts';
import { lacksOnlyEvidence } from '../evidence/owed-targets.ts';
import { limits } from '../limits/domain-limits.ts';
import { grantFor } from '../schedule/grants.ts';
import { recordOf, rowOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { nothingUsed } from '../llm/usage.ts';
import { countUse } from './count-use.ts';
import { endFailed } from './end-failed.ts';
import type { Lost } from './take-outcome.ts';
import type { RunningTask } from '../task/running-task.ts';
import { dropStale } from '../replan/replan.ts';
import { findGrantShortage, suspendAttempt } from './suspend-attempt.ts';
import { formatIssues } from './format-issues.ts';

/** A result that goes to the judges, and their grant. */
export interface ToJudge {
  judging: Judging;
  grant: Grant;
}

/** A judged result, as far as its judges are concerned: it stands or falls, and what was done in a copy is to be merged. */
export interface ConcludedJudgement {
  verdict: Verdict;
  judgement: Judgement;
}

/** True when models look at a result: it passed its checks, or a model planned the work and nothing checked it. A result that failed its checks has failed. */
export function isJudged(state: TaskState, id: string, { failure, outcome }: Verdict): boolean {
  if (failure !== null) return false;
  const { verification, whenUnchecked } = rowOf(state, id);
  return verification !== undefined || (whenUnchecked === 'judge' && outcome === 'unchecked');
}

/** The result goes to its judges, once there is something that they may spend. Null: the attempt waits for that. */
export function sendToJudge(task: RunningTask, id: string, finished: Finished, verdict: Verdict): ToJudge | null {
  if (dropStale(task, id)) return null;
  const { used = nothingUsed, models = [] } = recordOf(task.state, id) ?? {};
  return grantTo(task, id, { finished, verdict, run: 1, before: { used, models } });
}

function grantTo(task: RunningTask, id: string, judging: Judging): ToJudge | null {
  const grant = grantFor(task.state, id, 'judge');
  if (grant === null) {
    suspendAttempt(task, id, withoutGrant(judging), 'nothing', { phase: 'judge', ...judging });
    return null;
  }
  const given = Object.keys(grant).length === 0 ? {} : { grant };
  task.record({ type: 'attempt.judging', subtask: id, ...given });
  return { judging, grant };
}

/** Others hold all that is left, or there is nothing left: then a person is asked. */
const withoutGrant = ({ before: { used } }: Judging): Suspended => ({
  kind: 'suspended',
  why: 'budget',
  reason: 'No budget is left for its judge.',
  waitMs: null,
  checkpoint: null,
  used,
  reruns: 0,
});

/**
 * Takes what a run of the judges came to. They are asked again only where the files contradict what they claim; null: the attempt
 * stands still.
 */
export function takeJudged(
  task: RunningTask,
  id: string,
  judging: Judging,
  outcome: JudgeOutcome,
): ToJudge | ConcludedJudgement | null {
  const lacks = findGrantShortage(task.state, id, outcome);
  const { used, models } = outcome;
  countUse(task, id, { used, reruns: 0, ...(models === undefined ? {} : { models }) });
  if (dropStale(task, id)) return null;
  if (outcome.kind === 'suspended') {
    suspendAttempt(task, id, outcome, lacks, { phase: 'judge', ...judging });
    return null;
  }
  const { judgement } = outcome;
  if (judgement.outcome !== 'inconclusive')
    return conclude(judging, outcome, { ...judgement, contradictions: judging.run - 1 });
  const contradictions = judging.run;
  if (contradictions >= limits.judge.runs)
    return conclude(judging, outcome, { ...judgement, outcome: withoutVote(judging), contradictions });
  const { attempt } = recordOf(task.state, id) ?? { attempt: 1 };
  const issues = formatIssues(outcome.issues);
  task.record({ type: 'verdict', subtask: id, attempt, outcome: 'inconclusive', issues, judgement });
  return grantTo(task, id, { ...judging, run: judging.run + 1, before: { used, models: outcome.models } });
}

/** Joins the verdict of the checks with that of the judges. */
function conclude(
  { verdict, finished }: Judging,
  { issues, failure, evidence = verdict.evidence }: JudgedResult,
  judgement: Judgement,
): ConcludedJudgement {
  const all = {
    ...verdict,
    issues: [...verdict.issues, ...issues],
    ...(evidence === undefined ? {} : { evidence }),
  };
  if (failure !== null) {
    const kept = verdict.result !== null && lacksOnlyEvidence(issues) ? { provisional: verdict.result } : {};
    return { verdict: { ...all, outcome: 'fail', failure, result: null, ...kept }, judgement };
  }
  return { verdict: { ...all, outcome: together(verdict.outcome, judgement.outcome, finished) }, judgement };
}

/** Nobody said yes: only checks that passed make more of it than an unchecked result. */
const withoutVote = ({ verdict }: Judging): Judgement['outcome'] =>
  verdict.outcome === 'unchecked' ? 'unchecked' : 'pass-with-warnings';

/** The weaker of two passes. Where nothing else looked at the result, the judges alone are its check. */
const strength = ['unchecked', 'partial-verified', 'pass-with-warnings', 'pass'] as const;

function together(
  checks: Verdict['outcome'],
  judges: Judgement['outcome'],
  { contract }: Pick<Finished, 'contract'>,
): Verdict['outcome'] {
  if (checks === 'unchecked' && judges !== 'inconclusive') {
    const isPass = judges === 'pass' || judges === 'pass-with-warnings';
    return isPass && contract?.status === 'partial' ? 'partial-verified' : judges;
  }
  return strength.find((outcome) => outcome === checks || outcome === judges) ?? 'fail';
}

/** The execution and its checks stand: when the judges could not do their work, only that is repeated. What they were answered is kept. */
export function takeLostJudgement(task: RunningTask, id: string, judging: Judging, lost: Lost): void {
  if (dropStale(task, id)) return;
  endFailed(task, id, { failure: lost.failure }, { phase: 'judge', ...judging }, true);
}
