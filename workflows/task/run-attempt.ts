import { CancellationScope, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { buildAgentInput } from '../../domain/attempt/agent-input.ts';
import { beginAttempt, type Attempt } from '../../domain/attempt/begin-attempt.ts';
import { buildPromptContext } from '../../domain/attempt/build-prompt-context.ts';
import { findResumableSession } from '../../domain/attempt/find-resumable-session.ts';
import { listKnownEvidence, listSharedEvidence } from '../../domain/views/list-shared-evidence.ts';
import { listInputs } from '../../domain/attempt/list-inputs.ts';
import { takeLostExecution, takeOutcome } from '../../domain/attempt/take-outcome.ts';
import { keepsCopy, mustRevert } from '../../domain/tries/keep-better.ts';
import { settleTry, takeLostVerification, takeVerdict } from '../../domain/attempt/take-verdict.ts';
import {
  isJudged,
  sendToJudge,
  takeJudged,
  takeLostJudgement,
  type ConcludedJudgement,
  type ToJudge,
} from '../../domain/attempt/judging.ts';
import { beginDiagnosis } from '../../domain/attempt/diagnose.ts';
import { dropStale } from '../../domain/replan/replan.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Grant } from '../../domain/types/agent.ts';
import type { ExecuteInput, Verdict, VerifyInput } from '../../domain/types/attempt.ts';
import type { Judging } from '../../domain/types/events.ts';
import type { JudgeInput } from '../../domain/types/judgement.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import type { Finished, Outcome, Restored } from '../../domain/types/outcome.ts';
import { openItem, pageOf, recordOf, rowOf, settingsOf, subtaskOf } from '../../domain/task/read-state.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { judgeOptions, mergeOptions, revertOptions, verifyOptions } from './activity-options.ts';
import { diagnose } from './diagnose.ts';
import { executeByKind } from './execute-by-kind.ts';
import { explain } from '../shared/explain-failure.ts';
import type { TaskRun } from './run/task-run.ts';

/** One attempt: execute, verify, judge, then what the evidence says. The state alone tells where a subtask is, so any run can do it. */
export async function runAttempt(run: TaskRun, id: string): Promise<void> {
  try {
    let begun: Attempt | null = beginAttempt(run, id);
    const mayLook = beginDiagnosis(run, id, begun);
    if (mayLook !== null) begun = await lookAtFailures(run, id, begun, mayLook);
    if (begun === null) return;
    const { resumeFrom, grant } = begun;
    if (resumeFrom.phase === 'judge') return await judge(run, id, begun, { judging: resumeFrom, grant });
    let finished: Finished | null;
    if (resumeFrom.phase === 'verify') ({ finished } = resumeFrom);
    else {
      const input = buildExecuteInput(run, id, begun);
      const admitted = run.work.admit(measureJson(input));
      if (admitted !== null) await admitted;
      try {
        const outcome = await execute(run, id, begun, input);
        if (outcome.kind === 'failed' && isTry(run, id))
          await revertIfWorse(run, id, begun, { failure: outcome.failure, isSpent: false });
        finished = takeOutcome(run, id, outcome);
      } catch (error) {
        const lost = explain(error);
        if (isTry(run, id)) await revertIfWorse(run, id, begun, { ...lost, isSpent: true });
        takeLostExecution(run, id, lost);
        finished = null;
      }
    }
    if (finished === null) return;
    const input = { ...buildVerifyInput(run, id, begun, finished), ...shareEvidence(run, id) };
    const admitted = run.work.admit(measureJson(input));
    if (admitted !== null) await admitted;
    let verdict: Verdict | null;
    try {
      verdict = await verify(run, id, begun, input);
    } catch (error) {
      const lost = explain(error);
      if (isTry(run, id)) await revertIfWorse(run, id, begun, { ...lost, isSpent: true });
      takeLostVerification(run, id, finished, lost);
      verdict = null;
    }
    if (verdict === null) return;
    if (!isJudged(run.state, id, verdict)) {
      const kept = mayBeOwed(run, id) ? await keepBetter(run, id, begun, finished, verdict) : verdict;
      return takeVerdict(run, id, finished, kept);
    }
    const sent = sendToJudge(run, id, finished, verdict);
    if (sent !== null) await judge(run, id, begun, sent);
  } catch (error) {
    // Stopped by a new plan: what it used is not known, and nothing of it counts.
    if (!isCancellation(error) || !dropStale(run, id)) run.work.failWorkflowTask(error);
  } finally {
    run.checking.delete(id);
    run.work.ended();
  }
}

function lookAtFailures(run: TaskRun, id: string, begun: Attempt, grant: Grant): Promise<Attempt | null> {
  const { taskId, subtaskId, attempt, chain, plan } = buildAttemptKey(run, id, begun);
  const failures = buildPromptContext(run.state, id).retry?.failures ?? [];
  const about = { taskId, subtaskId, attempt, chain, plan, failures };
  return diagnose(run, id, { begun, grant, about });
}

/** Models that never saw how the work was done look at it. What they are answered is kept: a repeated call asks nothing twice. */
async function judge(run: TaskRun, id: string, begun: Attempt, sent: ToJudge): Promise<void> {
  let { judging } = sent;
  try {
    for (let next: ToJudge | ConcludedJudgement | null = sent; next !== null;) {
      if ('verdict' in next) {
        const { judgement } = next;
        const settled = settleTry(run.state, id, next.verdict, judgement);
        const merged = await merge(run, id, begun, judging, settled);
        const kept = mayBeOwed(run, id) ? await keepBetter(run, id, begun, judging.finished, merged) : merged;
        return takeVerdict(run, id, judging.finished, kept, judgement);
      }
      ({ judging } = next);
      const input = buildJudgeInput(run, id, begun, next);
      await run.work.admit(measureJson(input));
      const options = judgeOptions(settingsOf(run.state), begun, judging.run);
      next = takeJudged(run, id, judging, await proxyActivities<HostActivities>(options).judgeSubtask(input));
    }
  } catch (error) {
    const lost = explain(error);
    if (isTry(run, id)) await revertIfWorse(run, id, begun, { ...lost, isSpent: true });
    takeLostJudgement(run, id, judging, lost);
  }
}

function buildJudgeInput(run: TaskRun, id: string, begun: Attempt, { judging, grant }: ToJudge): JudgeInput {
  const { finished: execution, verdict, run: nth, before } = judging;
  const { outcome, issues, commands, files } = verdict;
  return {
    ...buildAttemptKey(run, id, begun),
    tier: begun.step.tier,
    run: nth,
    execution,
    verdict: { outcome, issues, commands, files },
    ...(verdict.evidence === undefined ? {} : { evidence: verdict.evidence }),
    before,
    grant,
    spent: recordOf(run.state, id)?.used ?? nothingUsed,
  };
}

/** Work that passed in a copy becomes part of the workspace only now. */
async function merge(
  run: TaskRun,
  id: string,
  begun: Attempt,
  { finished }: Judging,
  verdict: Verdict,
): Promise<Verdict> {
  if (verdict.failure !== null || rowOf(run.state, id).isolation === undefined) return verdict;
  const input = { ...buildVerifyInput(run, id, begun, finished), verdict };
  await run.work.admit(measureJson(input));
  const options = mergeOptions(settingsOf(run.state), begun);
  return proxyActivities<HostActivities>(options).mergeSubtask(input);
}

const isTry = ({ state }: TaskRun, id: string): boolean => openItem(state, id) !== undefined;

/** False where nothing is ever owed: there nothing is waited for either, as in histories that were recorded before. */
const mayBeOwed = (run: TaskRun, id: string): boolean =>
  isTry(run, id) || rowOf(run.state, id).remediation !== undefined;

/** A failed result that is kept is merged from its copy; a try that made nothing better is undone. */
async function keepBetter(
  run: TaskRun,
  id: string,
  begun: Attempt,
  finished: Finished,
  verdict: Verdict,
): Promise<Verdict> {
  let kept = settleTry(run.state, id, verdict);
  if (keepsCopy(run.state, id, kept)) kept = await mergeOwed(run, id, begun, finished, kept);
  const { failure, issues } = kept;
  if (failure !== null) await revertIfWorse(run, id, begun, { failure, isSpent: false, issues });
  return kept;
}

async function mergeOwed(
  run: TaskRun,
  id: string,
  begun: Attempt,
  finished: Finished,
  verdict: Verdict,
): Promise<Verdict> {
  const accepted: Verdict = { ...verdict, outcome: 'partial-verified', failure: null };
  const input = { ...buildVerifyInput(run, id, begun, finished), verdict: accepted };
  await run.work.admit(measureJson(input));
  const options = mergeOptions(settingsOf(run.state), begun);
  const merged = await proxyActivities<HostActivities>(options).mergeSubtask(input);
  if (merged.failure !== null || merged.result === null) return merged;
  return { ...verdict, provisional: merged.result };
}

/** Its own changes are undone before anything else happens with its files, also while the task stops. */
async function revertIfWorse(
  run: TaskRun,
  id: string,
  begun: Attempt,
  end: { failure: Failure; isSpent: boolean; issues?: Verdict['issues'] },
): Promise<void> {
  if (!mustRevert(run.state, id, end)) return;
  const { taskId, subtaskId, attempt, workspace } = buildAttemptKey(run, id, begun);
  const isolated = rowOf(run.state, id).isolation === undefined ? {} : { isolated: true as const };
  const { revertAttempt } = proxyActivities<HostActivities>(revertOptions(settingsOf(run.state), begun));
  let reverted: Restored;
  try {
    reverted = await CancellationScope.nonCancellable(() =>
      revertAttempt({ taskId, subtaskId, attempt, workspace, ...isolated }),
    );
  } catch (error) {
    reverted = { refused: explain(error).failure.summary };
  }
  run.record({ type: 'attempt.reverted', subtask: id, attempt, reverted });
}

function buildExecuteInput(run: TaskRun, id: string, begun: Attempt): ExecuteInput {
  const { state } = run;
  const { attempt, step, timeout } = begun;
  const { permit, evidence, remedy } = subtaskOf(state, id);
  const session = findResumableSession(state, id, step);
  return {
    ...buildAttemptKey(run, id, begun),
    tier: step.tier,
    thinking: step.thinking,
    timeout,
    context: buildPromptContext(state, id),
    inputs: listInputs(state, id),
    ...(evidence === undefined ? {} : { evidence }),
    ...(remedy === undefined ? {} : { taskEvidence: listKnownEvidence(state, id) }),
    idempotencyKey: `${state.id}/${id}/${attempt}`,
    ...(step.restore === true && attempt > 1 ? { restore: true } : {}),
    ...(rowOf(state, id).call.spends === true ? { agent: buildAgentInput(state, id, begun) } : {}),
    ...(session === undefined ? {} : { session }),
    ...(permit === undefined ? {} : { permit }),
  };
}

function execute(run: TaskRun, id: string, begun: Attempt, input: ExecuteInput): Promise<Outcome> {
  const { state } = run;
  return executeByKind(rowOf(state, id), {
    settings: settingsOf(state),
    call: begun,
    input,
    usedBefore: recordOf(state, id)?.used ?? nothingUsed,
    admit: (bytes) => run.work.admit(bytes),
  });
}

function buildVerifyInput(run: TaskRun, id: string, begun: Attempt, execution: Finished): VerifyInput {
  const { verifyTimeout } = settingsOf(run.state);
  const { checkAnswers: checks, remedy } = subtaskOf(run.state, id);
  return {
    ...buildAttemptKey(run, id, begun),
    ...(verifyTimeout === undefined ? {} : { commandTimeout: verifyTimeout }),
    execution,
    ...(checks === undefined ? {} : { checks }),
    ...(remedy === undefined ? {} : { owed: remedy.targets }),
    ...(begun.resumeFrom.phase === 'verify' ? { again: true } : {}),
    ...(rowOf(run.state, id).verification === undefined ? {} : { judged: true }),
  };
}

/** Targets of the task are checked with the last of the subtasks that meet them. Those that are checked at this moment did not wait for this one. */
function shareEvidence(run: TaskRun, id: string): Pick<VerifyInput, 'shared'> {
  const pages = listSharedEvidence(run.state, id, run.checking);
  run.checking.add(id);
  return pages === undefined ? {} : { shared: { pages } };
}

function verify(run: TaskRun, id: string, begun: Attempt, input: VerifyInput): Promise<Verdict> {
  const { commands } = rowOf(run.state, id);
  const options = verifyOptions(settingsOf(run.state), begun, commands);
  return proxyActivities<HostActivities>(options).verifySubtask(input);
}

const measureJson = (input: object): number => utf8Length(JSON.stringify(input));

/** Identifies the attempt, its workflow and its workspace. */
function buildAttemptKey({ state }: TaskRun, id: string, { attempt, startedAt }: Attempt) {
  const { sha256, bytes } = pageOf(state, id);
  const { firstExecutionRunId: chain } = workflowInfo();
  const { workspace } = settingsOf(state);
  return { taskId: state.id, subtaskId: id, attempt, chain, startedAt, plan: { sha256, bytes }, workspace };
}
