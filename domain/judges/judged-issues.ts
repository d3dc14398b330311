import { isEvidenceReason } from '../evidence/owed-targets.ts';
import { buildFailure } from '../failure/build-failure.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Issue, ReasonCode } from '../types/attempt.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { Judgement } from '../types/judgement.ts';
import { clip, formatList } from '../text/text.ts';
import type { Ballot } from './count-votes.ts';
import type { ReadIssue } from './reading.ts';

/** Lists the issues of a judgement for the next attempt and for people. After a failure, only votes against the result count. */
export function judgedIssues(judgement: Judgement, ballots: readonly Ballot[]): Issue[] {
  const { outcome, reasonCode, severity } = judgement;
  if (reasonCode === 'verifier-unreadable')
    return [buildUnreadableIssue(severity === 'infra', outcome !== 'unchecked')];
  const hard = outcome === 'fail';
  const read = ballots.flatMap(({ reading }) => (reading === undefined ? [] : [reading]));
  const counted = hard ? read.filter(({ verdict }) => verdict === 'fail' || verdict === 'partial') : read;
  const code: ReasonCode = reasonCode ?? 'criteria-unmet';
  const gap: ReasonCode = isEvidenceReason(code) ? code : 'evidence-gap';
  const reported = counted.flatMap(({ issues, missingEvidence }) => [
    ...issues.map((issue) => buildIssue(issue, code, hard)),
    ...missingEvidence.map((text) =>
      buildIssue({ message: `There is no evidence for this: ${text}`, target: text }, gap, hard),
    ),
  ]);
  const advice = counted.map(({ feedback }) => feedback).filter((text) => text !== '');
  if (reported.length === 0 && hard) reported.push(buildIssue({ message: formatSummary(advice) }, code, hard));
  return withoutDoubles(reported).slice(0, limits.judge.issues);
}

const formatSummary = ([first]: readonly string[]): string =>
  first === undefined ? 'The judge did not accept the result and did not say why.' : clip(first, limits.judge.issue);

function buildUnreadableIssue(isDead: boolean, isChecked: boolean): Issue {
  const what = isDead ? 'No judge could be asked' : 'The replies of the judges could not be read';
  const rest = isChecked
    ? 'the result passed its checks and was not reviewed further'
    : 'the result has no other check, so nothing has reviewed it';
  return { code: 'verifier-unreadable', severity: 'advisory', message: `${what}; ${rest}.` };
}

function buildIssue(
  { message, criterion, path, target }: ReadIssue & Pick<Issue, 'target'>,
  code: ReasonCode,
  hard: boolean,
): Issue {
  return {
    code,
    severity: hard ? 'hard' : 'advisory',
    message,
    ...(criterion === undefined ? {} : { criterion }),
    ...(path === undefined ? {} : { path }),
    ...(target === undefined || !hard ? {} : { target }),
  };
}

function withoutDoubles(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ message }) => !seen.has(message) && seen.add(message).size > 0);
}

const types: Partial<Record<ReasonCode, FailureType>> = {
  'evidence-gap': 'evidence-gap',
  'unconfirmed-data': 'unconfirmed-data',
};

/**
 * Builds the failure of a failed judgement. It is signed by its reason and by the criteria and files that it names, because a model words
 * the same finding differently each time.
 */
export function judgedFailure(
  { reasonCode }: Judgement,
  issues: readonly Issue[],
  { ballots, criteria }: { ballots: readonly Ballot[]; criteria: readonly string[] },
): Failure {
  const code: ReasonCode = reasonCode ?? 'criteria-unmet';
  const numbers = [...new Set(issues.flatMap(({ criterion }) => criterion ?? []))].sort((a, b) => a - b);
  const paths = [...new Set(issues.flatMap(({ path }) => path ?? []))].sort();
  const unmet = numbers.map((number) => `${number}. ${criteria[number - 1] ?? ''}`);
  const advice = ballots.flatMap(({ reading }) =>
    reading === undefined || reading.verdict === 'pass' || reading.feedback === '' ? [] : [reading.feedback],
  );
  const details = [
    ...issues.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)),
    ...(unmet.length === 0 ? [] : [`Criteria that are not met: ${formatList(unmet, limits.judge.issues)}`]),
    ...advice,
  ].join('\n');
  return buildFailure(types[code] ?? 'verification-failed', {
    summary: issues.map(({ message }) => message).join(' '),
    details,
    // Criteria are numbered within their subtask.
    hasExplanation: paths.length > 0,
    facts: [code, ...numbers.map((number) => `criterion ${number}`), ...paths],
    ...(advice[0] === undefined ? {} : { fix: clip(advice[0], limits.judge.feedback) }),
  });
}
