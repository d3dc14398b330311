import { escalationOptions } from '../decisions/decision.ts';
import type { Decision } from '../model/decision.ts';
import { sayDuration } from '../text/duration.ts';
import type { Failure } from '../model/failure.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { FailureType } from '../model/failure-types.ts';
import { attemptsAfterAnswer } from '../recovery/ladder.ts';
import { openBranch, openDependents } from '../task/schedule.ts';
import { freeDecisionId, subtaskOf, type TaskState } from '../task/state.ts';
import { ladderOf } from '../task/status.ts';
import { clip, plainEnglish, sayCount } from '../text/text.ts';

/** One sentence a person who is no engineer understands; the raw error is one step away in the attempts. */
const problems: Partial<Record<FailureType, string>> = {
  timeout: 'did not finish within its time limit',
  'empty-output': 'printed no result',
  'format-invalid': 'wrote files that are not well formed',
  'missing-sections': 'left out sections that must be there',
  'diff-invalid': 'gave changes that cannot be applied',
  'merge-conflict': 'changed what others have changed too',
  'context-missing': 'needs a program, a file or a setting that is not there',
  'tool-failed': 'ended with an error',
  'verification-failed': 'gave a result that does not pass its checks',
  overloaded: 'depends on something that is still overloaded or not available',
  'rate-limited': 'depends on something that still refuses more requests',
  auth: 'needs credentials or settings that are missing or not accepted',
  permission: 'is not permitted to do what it must do',
  subscription: 'needs a subscription that is not valid',
  environment: 'cannot work because the machine or the network does not let it',
  'verifier-unreadable': 'gave a result that could not be judged',
  'evidence-gap': 'makes claims without evidence',
  'unconfirmed-data': 'uses data that could not be confirmed',
  'context-overflow': 'is more than its model can take at once',
  safety: 'did or asked for something that is not allowed and was stopped',
  budget: 'has spent what it was allowed to spend',
  blocked: 'says that it cannot go on',
};

export function escalation(
  state: TaskState,
  subtask: string,
  failure: Failure,
  because: string,
  now: number,
): Decision {
  const { climb } = subtaskOf(state, subtask);
  const records = state.records.filter((record) => record.subtask === subtask && record.outcome === 'failed');
  const retryHelps = failure.category !== 'never-retry';
  return {
    id: freeDecisionId(state, subtask),
    kind: 'escalation',
    subtask,
    problem: problemOf(subtask, failure, records.length, because),
    tried: records.slice(-8).map(sayTried),
    recommendation: recommend(failure, retryHelps),
    options: escalationOptions(
      {
        subtask,
        dependents: openDependents(state, subtask),
        branch: openBranch(state, subtask),
        attempts: attemptsAfterAnswer(ladderOf(state, subtask), climb),
        costOfOne: costOfOne(records),
      },
      failure.type === 'auth' || failure.type === 'permission' || failure.type === 'subscription'
        ? 'credentials'
        : 'other',
    ),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
    signature: failure.signature,
  };
}

/** The mean of what was spent, as far as it matters to somebody who decides. */
function costOfOne(records: readonly AttemptRecord[]): string {
  const mean = (of: (record: AttemptRecord) => number): number =>
    records.reduce((sum, record) => sum + of(record), 0) / Math.max(1, records.length);
  const usd = mean(({ costUsd }) => costUsd);
  const ms = mean(({ startedAt, endedAt }) => (endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt)));
  const parts = [...(usd > 0 ? [`${usd.toFixed(2)} USD`] : []), ...(ms >= longAttempt ? [sayDuration(ms)] : [])];
  return parts.join(' and ');
}

/** Shorter ones cost nobody a thought. */
const longAttempt = 60_000;

function problemOf(subtask: string, failure: Failure, failed: number, because: string): string {
  const what = problems[failure.type] ?? 'does not succeed';
  const times = failed > 1 ? ` after ${sayCount(failed, 'attempt')}` : '';
  const said = plainEnglish(failure.summary);
  const why = because === 'max-attempts' ? ' All its attempts are used.' : '';
  return clip(`${subtask} ${what}${times}.${why}${said === '' ? '' : ` It says: ${said}`}`, 400);
}

function sayTried(record: AttemptRecord): string {
  const took =
    record.endedAt === null ? '' : ` in ${sayDuration(Date.parse(record.endedAt) - Date.parse(record.startedAt))}`;
  const how = `tier ${record.tier}${record.thinking ? ' with thinking' : ''}`;
  return clip(`Attempt ${record.attempt}, ${how}, failed${took}: ${plainEnglish(record.summary)}`, 240);
}

function recommend(failure: Failure, retryHelps: boolean): string {
  if (failure.type === 'auth') return 'provide-credentials';
  if (failure.category === 'environment' || failure.category === 'transient') return 'retry';
  return retryHelps ? 'fix' : 'retry';
}
