import { limits } from '../limits/domain-limits.ts';
import type { ReasonCode } from '../types/attempt.ts';
import type { Judgement, Lens, Severity, Vote } from '../types/judgement.ts';
import type { Voting } from '../types/subtask.ts';
import { clip, oneLine } from '../text/text.ts';
import { claimsPlaceholder } from './claims.ts';
import type { JudgeReading } from './reading.ts';

/** The result of one judge. */
export interface Ballot {
  lens: Lens;
  model: string | null;
  /** Absent when the reply could not be read, or the judge could not be asked. */
  reading?: JudgeReading;
  /** The judge could not be asked: the provider is at fault, not the model. */
  isDead?: boolean;
  /** The files show that the judge's claim is wrong. */
  isContradicted?: boolean;
}

export const buildVote = ({ lens, model, reading }: Ballot): Vote => ({
  lens,
  model,
  passed: reading === undefined || reading.verdict === 'undecided' ? null : isFor(reading),
  confidence: readConfidence(reading),
  ...explainVote(reading),
});

/** The first of its words that say something: against a result its issues, else its reason. */
function explainVote(reading: JudgeReading | undefined): Pick<Vote, 'says'> {
  if (reading === undefined) return {};
  const { issues, reason, feedback, remarks } = reading;
  const objections = isFor(reading) ? [] : issues.map(({ message }) => message);
  const first = [...objections, feedback, reason, remarks].map(oneLine).find((text) => text !== '');
  return first === undefined ? {} : { says: clip(first, limits.judge.says) };
}

/** True where a judge accepts the result. */
export const isFor = ({ verdict }: JudgeReading): boolean => verdict === 'pass' || verdict === 'warn';

const readConfidence = (reading: JudgeReading | undefined): number =>
  reading === undefined || reading.verdict === 'undecided' ? 0 : (reading.confidence ?? limits.judge.unsaidConfidence);

/** Combines the judges' votes. */
export function countVotes(ballots: readonly Ballot[], { rule }: Pick<Voting, 'rule'>): Judgement {
  const votes = ballots.map(buildVote);
  const buildJudgement = (
    outcome: Judgement['outcome'],
    about: Omit<Judgement, 'outcome' | 'votes' | 'contradictions'>,
  ): Judgement => ({
    outcome,
    ...about,
    votes,
    contradictions: 0,
  });
  const readable = ballots.filter(({ reading }) => reading !== undefined && reading.verdict !== 'undecided');
  if (readable.length === 0) {
    const severity: Severity = ballots.every(({ isDead }) => isDead === true) ? 'infra' : 'inconclusive';
    return buildJudgement('pass-with-warnings', { confidence: 0, reasonCode: 'verifier-unreadable', severity });
  }
  const against = readable.filter(({ reading }) => reading !== undefined && !isFor(reading));
  const standing = against.filter(({ isContradicted }) => isContradicted !== true);
  if (isRefused(against, readable.length, rule)) {
    if (!isRefused(standing, readable.length, rule))
      return buildJudgement('inconclusive', {
        confidence: 0,
        reasonCode: 'verifier-contradicted',
        severity: 'inconclusive',
      });
    const partial = standing.every(({ reading }) => reading?.verdict === 'partial');
    const confidence = Math.max(...standing.map(({ reading }) => readConfidence(reading)));
    return buildJudgement(partial ? 'partial-verified' : 'fail', {
      confidence,
      reasonCode: chooseReason(standing),
      severity: 'semantic',
    });
  }
  const inFavour = readable.filter(({ reading }) => reading !== undefined && isFor(reading));
  const isClean = inFavour.length === ballots.length && inFavour.every(({ reading }) => isUnreserved(reading));
  const confidence = mean(inFavour.map(({ reading }) => readConfidence(reading)));
  if (isClean) return buildJudgement('pass', { confidence, reasonCode: null, severity: null });
  const reasonCode = against.length > 0 ? chooseReason(against) : evidenceGap(inFavour);
  return buildJudgement('pass-with-warnings', { confidence, reasonCode, severity: 'semantic' });
}

/** One confident vote against it, or a majority of the readable votes. A tie does not pass. */
function isRefused(against: readonly Ballot[], readable: number, rule: Voting['rule']): boolean {
  if (rule === 'majority' || readable === 1) return against.length > 0 && against.length * 2 >= readable;
  return against.some(({ reading }) => readConfidence(reading) >= limits.judge.vetoAt) || against.length * 2 > readable;
}

const isUnreserved = (reading: JudgeReading | undefined): boolean =>
  reading?.verdict === 'pass' && reading.missingEvidence.length === 0;

const evidenceGap = (ballots: readonly Ballot[]): ReasonCode | null =>
  ballots.some(({ reading }) => (reading?.missingEvidence.length ?? 0) > 0) ? 'evidence-gap' : null;

/** The requested reason codes, and the wordings that judges use instead. */
const reasons: readonly (readonly [RegExp, ReasonCode])[] = [
  [/unconfirmed|unverified/i, 'unconfirmed-data'],
  [/evidence|source|citation|unsupported/i, 'evidence-gap'],
  [/placeholder|todo/i, 'placeholder-left'],
];

/** `Missing evidence for the price`, `no source is given`. */
const noEvidence =
  /\b(?:missing|no|lacks?|lacking|without|insufficient) (?:any |the )?(?:evidence|sources?|citations?)\b/iu;

/** Returns the reason of the most confident vote against the result. */
function chooseReason(against: readonly Ballot[]): ReasonCode {
  const [first] = [...against].sort((a, b) => readConfidence(b.reading) - readConfidence(a.reading));
  const reading = first?.reading;
  if (reading === undefined) return 'criteria-unmet';
  if (reading.verdict === 'partial') return 'partial';
  const named = reasons.find(([pattern]) => pattern.test(reading.reason))?.[1];
  if (named !== undefined) return named;
  if (claimsPlaceholder(reading)) return 'placeholder-left';
  const isGap = reading.issues.every(({ message }) => noEvidence.test(message));
  const hasGap = reading.missingEvidence.length > 0 || reading.issues.length > 0;
  return isGap && hasGap ? 'evidence-gap' : 'criteria-unmet';
}

const mean = (values: readonly number[]): number => {
  const sum = values.reduce((so, value) => so + value, 0);
  return Math.round((sum / Math.max(1, values.length)) * confidencePrecision) / confidencePrecision;
};

const confidencePrecision = 1e6;
