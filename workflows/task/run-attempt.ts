import { isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { buildAgentInput } from '../../domain/attempt/agent-input.ts';
import { beginAttempt, type Attempt } from '../../domain/attempt/begin-attempt.ts';
import { buildPromptContext } from '../../domain/attempt/build-prompt-context.ts';
import { findResumableSession } from '../../domain/attempt/find-resumable-session.ts';
import { listSharedEvidence } from '../../domain/views/list-shared-evidence.ts';
import { listInputs } from '../../domain/attempt/list-inputs.ts';
import { takeLostExecution, takeOutcome } from '../../domain/attempt/take-outcome.ts';
import { takeLostVerification, takeVerdict } from '../../domain/attempt/take-verdict.ts';
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
import type { Finished, Outcome } from '../../domain/types/outcome.ts';
import { pageOf, recordOf, rowOf, settingsOf, subtaskOf } from '../../domain/task/read-state.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { judgeOptions, mergeOptions, verifyOptions } from './activity-options.ts';
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
        finished = takeOutcome(run, id, await execute(run, id, begun, input));
      } catch (error) {
        takeLostExecution(run, id, explain(error));
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
      takeLostVerification(run, id, finished, explain(error));
      verdict = null;
    }
    if (verdict === null) return;
    if (!isJudged(run.state, id, verdict)) return takeVerdict(run, id, finished, verdict);
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
        const { verdict, judgement } = next;
        return takeVerdict(run, id, judging.finished, await merge(run, id, begun, judging, verdict), judgement);
      }
      ({ judging } = next);
      const input = buildJudgeInput(run, id, begun, next);
      await run.work.admit(measureJson(input));
      const options = judgeOptions(settingsOf(run.state), begun, judging.run);
      next = takeJudged(run, id, judging, await proxyActivities<HostActivities>(options).judgeSubtask(input));
    }
  } catch (error) {
    takeLostJudgement(run, id, judging, explain(error));
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

function buildExecuteInput(run: TaskRun, id: string, begun: Attempt): ExecuteInput {
  const { state } = run;
  const { attempt, step, timeout } = begun;
  const { permit, evidence } = subtaskOf(state, id);
  const session = findResumableSession(state, id, step);
  return {
    ...buildAttemptKey(run, id, begun),
    tier: step.tier,
    thinking: step.thinking,
    timeout,
    context: buildPromptContext(state, id),
    inputs: listInputs(state, id),
    ...(evidence === undefined ? {} : { evidence }),
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
  const { checkAnswers: checks } = subtaskOf(run.state, id);
  return {
    ...buildAttemptKey(run, id, begun),
    ...(verifyTimeout === undefined ? {} : { commandTimeout: verifyTimeout }),
    execution,
    ...(checks === undefined ? {} : { checks }),
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
