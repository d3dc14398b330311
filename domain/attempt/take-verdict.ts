import { lacksOnlyEvidence, listOwedReasons, listOwedTargets } from '../evidence/owed-targets.ts';
import { buildFailure } from '../failure/build-failure.ts';
import { limits } from '../limits/domain-limits.ts';
import { dropStale } from '../replan/replan.ts';
import { openItem, rowOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import type { Result } from '../types/events.ts';
import type { RunningTask } from '../task/running-task.ts';
import { clip } from '../text/text.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Verdict, VerifyCommandResult } from '../types/attempt.ts';
import type { Judgement } from '../types/judgement.ts';
import type { Owed } from '../types/remedy.ts';
import type { Finished } from '../types/outcome.ts';
import { afterAttemptPassed } from './after-attempt.ts';
import { endFailed, pickRestored } from './end-failed.ts';
import { formatIssues } from './format-issues.ts';
import { runningRecord } from './running-record.ts';
import type { Lost } from './take-outcome.ts';

/** The last word on a result: of its checks, and of its judges where it has any. */
export function takeVerdict(
  task: RunningTask,
  id: string,
  finished: Finished,
  verdict: Verdict,
  judgement?: Judgement,
): void {
  if (dropStale(task, id, verdict.files)) return;
  const { attempt } = runningRecord(task.state, id);
  const judgementPart = judgement === undefined ? {} : { judgement };
  const settled = settleTry(task.state, id, verdict, judgement);
  const { outcome } = verdict;
  task.record({
    type: 'verdict',
    subtask: id,
    attempt,
    outcome,
    issues: formatIssues(verdict.issues),
    ...judgementPart,
  });
  const seen: Partial<AttemptRecord> = {
    files: verdict.files,
    verify: verdict.commands.map(formatCommand),
    verdict: outcome,
    ...judgementPart,
    ...pickRestored(finished),
    ...(verdict.evidence === undefined ? {} : { evidence: verdict.evidence }),
    ...(verdict.confirmed === undefined ? {} : { confirmed: verdict.confirmed }),
  };
  const { failure, result } = settled;
  if (failure !== null) {
    const owed = describeOwed(task.state, id, finished, verdict);
    return endFailed(task, id, { ...seen, failure }, { phase: 'verify', finished }, false, owed);
  }
  // A verdict without a result is no pass, whatever it is called.
  if (result === null) throw new Error(`the verdict on ${id} has neither a failure nor a result`);
  const passed: AttemptRecord = {
    ...runningRecord(task.state, id),
    ...seen,
    endedAt: new Date(task.now).toISOString(),
    outcome: 'passed',
    notes: clip(finished.contract?.notes ?? '', limits.summary),
  };
  const status = outcome === 'partial-verified' || finished.contract?.status === 'partial' ? 'partial' : 'success';
  afterAttemptPassed(task, passed, verdict, { status, ref: result, ...describeWork(task.state, passed, finished) });
}

/** A try is settled only by somebody who looked: what passes elsewhere for want of a readable answer resolves no item. */
export function settleTry(state: TaskState, id: string, verdict: Verdict, judgement?: Judgement): Verdict {
  const isUnread = judgement?.reasonCode === 'verifier-unreadable' || verdict.outcome === 'unchecked';
  if (verdict.failure !== null || !isUnread || openItem(state, id) === undefined) return verdict;
  const summary = 'Nobody could tell whether the evidence is there now.';
  return { ...verdict, outcome: 'fail', failure: buildFailure('verifier-unreadable', { summary }), result: null };
}

/** Describes the evidence to be owed, where a failed verdict left a result and misses nothing else. */
export function describeOwed(
  state: TaskState,
  id: string,
  finished: Finished,
  { issues, provisional }: Pick<Verdict, 'issues' | 'provisional'>,
): Owed | undefined {
  if (provisional === undefined || !lacksOnlyEvidence(issues)) return undefined;
  const notes = clip(finished.contract?.notes ?? '', limits.summary);
  const work = describeWork(state, { subtask: id, notes }, finished);
  const result: Result = { status: 'partial', ref: provisional, ...work };
  return { reasons: listOwedReasons(issues), targets: listOwedTargets(issues), result };
}

/** Facts about the work that the task's caller is told, and that stay when the record has gone to the store. */
function describeWork(
  state: TaskState,
  { subtask, notes }: Pick<AttemptRecord, 'subtask' | 'notes'>,
  { contract }: Finished,
): Pick<Result, 'notes' | 'touched'> {
  const planned = new Set(rowOf(state, subtask).deliverables);
  const touched = [...new Set(contract?.deliverablesTouched)]
    .filter((path) => !planned.has(path) && path.length <= limits.leftPath)
    .slice(0, limits.leftFiles);
  return { ...(notes === '' ? {} : { notes }), ...(touched.length === 0 ? {} : { touched }) };
}

/** The execution stands: when the verifier could not do its work, only the verification is repeated. */
export function takeLostVerification(task: RunningTask, id: string, finished: Finished, lost: Lost): void {
  if (dropStale(task, id)) return;
  endFailed(task, id, { failure: lost.failure }, { phase: 'verify', finished }, true);
}

/** Leaves out the output, which is in the store. */
const formatCommand = ({
  command,
  name,
  exit,
  summary,
  sandboxed,
}: VerifyCommandResult): AttemptRecord['verify'][number] => ({
  ...{ command, exit, summary },
  ...(name === undefined ? {} : { name }),
  ...(sandboxed === true ? { sandboxed } : {}),
});
