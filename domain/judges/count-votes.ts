import { limits } from '../limits/domain-limits.ts';
import type { ReasonCode } from '../types/attempt.ts';
import type { Judgement, Lens, Severity, Vote } from '../types/judgement.ts';
import type { Voting } from '../types/subtask.ts';
import { claimsPlaceholder } from './claims.ts';
import type { Reading } from './reading.ts';

/** What one judge came to. */
export interface Ballot {
  lens: Lens;
  model: string | null;
  /** Absent: nobody could read it, or it could not be asked. */
  reading?: Reading;
  /** It could not be asked: the provider is at fault, not the model. */
  isDead?: boolean;
  /** The files show that what it claims is not there. */
  isContradicted?: boolean;
}

export const voteOf = ({ lens, model, reading }: Ballot): Vote => ({
  lens,
  model,
  passed: reading === undefined || reading.verdict === 'undecided' ? null : isFor(reading),
  confidence: confidenceOf(reading),
});

/** True where a judge accepts the result. */
export const isFor = ({ verdict }: Reading): boolean => verdict === 'pass' || verdict === 'warn';

const confidenceOf = (reading: Reading | undefined): number =>
  reading === undefined || reading.verdict === 'undecided' ? 0 : (reading.confidence ?? limits.judge.unsaidConfidence);

/** What the judges say together. */
export function countVotes(ballots: readonly Ballot[], { rule }: Pick<Voting, 'rule'>): Judgement {
  const votes = ballots.map(voteOf);
  const said = (
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
    return said('pass-with-warnings', { confidence: 0, reasonCode: 'verifier-unreadable', severity });
  }
  const against = readable.filter(({ reading }) => reading !== undefined && !isFor(reading));
  const standing = against.filter(({ isContradicted }) => isContradicted !== true);
  if (isRefused(against, readable.length, rule)) {
    if (!isRefused(standing, readable.length, rule))
      return said('inconclusive', { confidence: 0, reasonCode: 'verifier-contradicted', severity: 'inconclusive' });
    const partial = standing.every(({ reading }) => reading?.verdict === 'partial');
    const confidence = Math.max(...standing.map(({ reading }) => confidenceOf(reading)));
    return said(partial ? 'partial-verified' : 'fail', {
      confidence,
      reasonCode: reasonOf(standing),
      severity: 'semantic',
    });
  }
  const inFavour = readable.filter(({ reading }) => reading !== undefined && isFor(reading));
  const isClean = inFavour.length === ballots.length && inFavour.every(({ reading }) => isUnreserved(reading));
  const confidence = mean(inFavour.map(({ reading }) => confidenceOf(reading)));
  if (isClean) return said('pass', { confidence, reasonCode: null, severity: null });
  const reasonCode = against.length > 0 ? reasonOf(against) : evidenceGap(inFavour);
  return said('pass-with-warnings', { confidence, reasonCode, severity: 'semantic' });
}

/** One vote against it that is sure, or most of those that can be read. A tie of a majority does not pass. */
function isRefused(against: readonly Ballot[], readable: number, rule: Voting['rule']): boolean {
  if (rule === 'majority' || readable === 1) return against.length > 0 && against.length * 2 >= readable;
  return against.some(({ reading }) => confidenceOf(reading) >= limits.judge.vetoAt) || against.length * 2 > readable;
}

const isUnreserved = (reading: Reading | undefined): boolean =>
  reading?.verdict === 'pass' && reading.missingEvidence.length === 0;

const evidenceGap = (ballots: readonly Ballot[]): ReasonCode | null =>
  ballots.some(({ reading }) => (reading?.missingEvidence.length ?? 0) > 0) ? 'evidence-gap' : null;

/** Names that judges are told, and what they often say instead. */
const reasons: readonly (readonly [RegExp, ReasonCode])[] = [
  [/unconfirmed|unverified/i, 'unconfirmed-data'],
  [/evidence|source|citation|unsupported/i, 'evidence-gap'],
  [/placeholder|todo/i, 'placeholder-left'],
];

/** `Missing evidence for the price`, `no source is given`. */
const noEvidence =
  /\b(?:missing|no|lacks?|lacking|without|insufficient) (?:any |the )?(?:evidence|sources?|citations?)\b/iu;

/** Why it failed, by the surest of them. */
function reasonOf(against: readonly Ballot[]): ReasonCode {
  const [first] = [...against].sort((a, b) => confidenceOf(b.reading) - confidenceOf(a.reading));
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
  return Math.round((sum / Math.max(1, values.length)) * grain) / grain;
};

const grain = 1e6;
