import { Context } from '@temporalio/activity';

import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { disputeEvidence } from '../../domain/evidence/dispute.ts';
import { countVotes, type Ballot } from '../../domain/judges/count-votes.ts';
import { judgedFailure, judgedIssues } from '../../domain/judges/judged-issues.ts';
import { judgeRequest, judgeValues, listLenses } from '../../domain/judges/judge-prompt.ts';
import { findLiteralClaim } from '../../domain/judges/placeholder-claim.ts';
import type { Verdict } from '../../domain/types/attempt.ts';
import type { JudgedResult, JudgeInput, Judgement, JudgeOutcome, Lens } from '../../domain/types/judgement.ts';
import type { Model } from '../../domain/types/llm.ts';
import type { Suspended } from '../../domain/types/outcome.ts';
import type { Subtask, Voting } from '../../domain/types/subtask.ts';
import { routeModel } from '../../domain/llm/route-model.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import { noteProgress } from '../temporal/with-heartbeat.ts';
import type { Models } from '../llm/ports/model.ts';
import type { Secrets } from '../redact/secrets.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';
import { formatExchange, type ExchangeText } from '../llm/requests/format-exchange.ts';
import { RequestLedger } from '../llm/requests/request-ledger.ts';
import { RequestSpending } from '../llm/requests/request-spending.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import { loadEvidence, storeEvidence } from '../evidence/pages.ts';
import { outputForm, systemPrompt } from '../prompts/system-prompt.ts';
import { definitionFrom, type Definition } from '../pages/plan-pages.ts';
import { lostWork } from '../verify/lost-work.ts';
import { createTextInspector } from '../verify/inspect/text-inspector.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { JudgeTalk, type OutOfBudget } from './ask-judge.ts';
import { gatherEvidence, type Evidence } from './gather-view.ts';
import { scanForPlaceholders } from './scan-placeholders.ts';

export interface JudgeParts {
  store: Pick<Store, 'get' | 'put' | 'claim' | 'peek'>;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
  models: Models;
  /** Between 0 and 1. */
  random?: () => number;
}

/**
 * The activity `judgeSubtask`: models that never saw how the work was done look at what passed its checks. Of its own it runs nothing and
 * changes nothing; what it was answered is kept, so after a crash it asks for the rest.
 */
export function createJudgeSubtask(parts: JudgeParts): (input: JudgeInput) => Promise<JudgeOutcome> {
  return async function judgeSubtask(input) {
    const signal = Context.current().cancellationSignal;
    try {
      const definition = await definitionFrom(parts.store, input.plan, input.subtaskId);
      return await judge(parts, { input, definition }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isSystemError(error) || error instanceof SnapshotTrouble)
        throw machineFailure(`The result could not be judged: ${error.message}`);
      if (error instanceof HeddleError && error.code === 'WORKTREE_MISSING') return nothingToJudge(input, error);
      throw toFailure(error);
    }
  };
}

/** The copy is gone: that is a fact, whatever judges would say, and the work is done again. */
function nothingToJudge({ before }: JudgeInput, error: HeddleError): JudgeOutcome {
  const { issues, failure } = lostWork(error);
  const about = { reasonCode: 'deliverable-missing', severity: 'hard-invariant' } as const;
  const judgement: Judgement = { outcome: 'fail', confidence: 1, ...about, votes: [], contradictions: 0 };
  return { kind: 'judged', judgement, issues, failure, ...before };
}

interface JudgeSubject {
  input: JudgeInput;
  definition: Definition;
}

async function judge(
  parts: JudgeParts,
  { input, definition }: JudgeSubject,
  signal: AbortSignal,
): Promise<JudgeOutcome> {
  const { subtask, variables } = definition;
  const redactor = parts.secrets.redactor(variables);
  const redact = (text: string): string => redactKnownSecrets(redactor.text(text));
  const spending = new RequestSpending('verifier', input.before, input);
  const evidence = await gatherEvidence({ ...parts, redact }, { input, ...definition }, signal);
  const { ballots, texts } = await askAll(parts, { input, definition }, { evidence, spending, redact, signal });
  const spent = { used: spending.used, models: spending.models };
  if ('lacks' in ballots) return { ...outOfBudget(ballots), ...spent };
  const looked = await lookIntoClaims(ballots, evidence, definition, signal);
  const judgement = {
    ...settled(countVotes(looked, votingOf(subtask)), subtask, input.verdict),
    ...(await keepTranscript(parts.store, input, texts, redact)),
  };
  const issues = judgedIssues(judgement, looked);
  const { criteria } = subtask;
  const failure = judgement.outcome === 'fail' ? judgedFailure(judgement, issues, { ballots: looked, criteria }) : null;
  return { kind: 'judged', judgement, issues, failure, ...spent, ...(await dispute(parts.store, input, looked)) };
}

/** Records that judges find wanting are disputed, and what else they miss becomes a target, for the next attempt and for people. */
async function dispute(
  store: JudgeParts['store'],
  { evidence, subtaskId }: JudgeInput,
  ballots: readonly Ballot[],
): Promise<Pick<JudgedResult, 'evidence'>> {
  const counted = ballots.filter(({ isContradicted }) => isContradicted !== true);
  const texts = counted.flatMap(({ reading }) => reading?.missingEvidence ?? []);
  if (texts.length === 0) return {};
  const page = disputeEvidence(await loadEvidence(store, evidence, subtaskId), texts);
  const kept = await storeEvidence(store, page);
  return kept === undefined ? {} : { evidence: kept };
}

/** Kept once judges were asked at all. */
async function keepTranscript(
  store: Pick<Store, 'put'>,
  { subtaskId, attempt }: JudgeInput,
  texts: readonly ExchangeText[],
  redact: (text: string) => string,
): Promise<Pick<Judgement, 'transcriptRef'>> {
  if (texts.length === 0) return {};
  const transcript = formatExchange(`Judges of ${subtaskId}, attempt ${attempt}`, texts);
  return { transcriptRef: (await store.put(redact(transcript))).sha256 };
}

/** One judge is a vote of one. */
const votingOf = ({ voting }: Subtask): Voting => voting ?? { voters: 1, rule: 'majority' };

const chooseLenses = ({ verification, voting }: Subtask): Lens[] =>
  verification === 3 && voting !== undefined ? listLenses(voting.voters) : ['overall'];

interface JudgingContext {
  evidence: Evidence;
  spending: RequestSpending;
  redact: (text: string) => string;
  signal: AbortSignal;
}

/** All at once; nobody hears of another. */
async function askAll(
  parts: JudgeParts,
  { input, definition }: JudgeSubject,
  { evidence, spending, redact, signal }: JudgingContext,
): Promise<{ ballots: Ballot[] | OutOfBudget; texts: ExchangeText[] }> {
  const { subtask, models: supply, prompts } = definition;
  const models = chooseModels(supply, input);
  const lenses = chooseLenses(subtask);
  if (models === undefined) return { ballots: lenses.map((lens) => ({ lens, model: null, isDead: true })), texts: [] };
  const { taskId: task, subtaskId, attempt, chain, startedAt, run } = input;
  const { view } = evidence;
  const talks = lenses.map(
    (lens, voter) =>
      new JudgeTalk({
        lens,
        system: redact(systemPrompt('judge', judgeValues(lens), prompts)),
        form: redact(outputForm('judge', judgeValues(lens), prompts)),
        models,
        ledger: new RequestLedger(parts.store, {
          task,
          who: 'judge',
          stem: [chain, startedAt, subtaskId, attempt, voter],
        }),
        spending,
        calls: parts.models,
        asker: { task, role: 'verifier', subtask: subtaskId, attempt, part: `judge ${voter + 1}` },
        run,
        criteria: subtask.criteria,
        show: (room) => judgeRequest(view, room),
        signal,
        redact,
        random: parts.random ?? Math.random,
        note: noteProgress,
      }),
  );
  const answers = await Promise.allSettled(talks.map((talk) => talk.ask()));
  // Each is heard to its end: none of them asks on when nobody listens any more.
  const broken = answers.find((answer) => answer.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  const results = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const short = results.find((answer) => 'lacks' in answer);
  const ballots = short ?? results.flatMap((answer) => ('lacks' in answer ? [] : [answer]));
  return { ballots, texts: talks.flatMap((talk) => talk.listTexts()) };
}

/** Chooses the model that is asked, and another one for when the first one fails. */
function chooseModels(supply: readonly Model[], { tier }: JudgeInput): [Model, ...Model[]] | undefined {
  const first = routeModel(supply, { role: 'verifier', tier });
  if (first === undefined) return undefined;
  const other = routeModel(
    supply.filter((model) => model !== first),
    { role: 'verifier', tier },
  );
  return other === undefined ? [first] : [first, other];
}

/** A claim that the files can tell the truth of is looked into. */
async function lookIntoClaims(
  ballots: readonly Ballot[],
  evidence: Evidence,
  { scan: caps, subtask }: Definition,
  signal: AbortSignal,
): Promise<Ballot[]> {
  const looked: Ballot[] = [];
  for (const ballot of ballots) {
    const { reading } = ballot;
    const claim = reading === undefined ? undefined : findLiteralClaim(reading, subtask.criteria);
    if (caps === null || claim === undefined) {
      looked.push(ballot);
      continue;
    }
    const inspector = createTextInspector();
    const stop = (): void => void inspector.close();
    signal.addEventListener('abort', stop);
    try {
      const { output } = evidence.view;
      const finding = await scanForPlaceholders({ ...evidence, output }, claim, {
        caps,
        inspector,
        signal,
      });
      looked.push(finding === 'contradicted' ? { ...ballot, isContradicted: true } : ballot);
    } finally {
      signal.removeEventListener('abort', stop);
      await inspector.close();
    }
  }
  return looked;
}

/** Partly done is good enough only where the plan says so; an unread vote leaves an unchecked result unchecked. */
function settled(
  judgement: Judgement,
  { allowPartial }: Subtask,
  { outcome: checks }: Pick<Verdict, 'outcome'>,
): Judgement {
  const { outcome, reasonCode } = judgement;
  if (outcome === 'partial-verified' && !allowPartial) return { ...judgement, outcome: 'fail' };
  return reasonCode === 'verifier-unreadable' && checks === 'unchecked'
    ? { ...judgement, outcome: 'unchecked' }
    : judgement;
}

const outOfBudget = ({ lacks }: OutOfBudget): Omit<Suspended, 'used' | 'models'> => ({
  kind: 'suspended',
  why: 'budget',
  reason: `Its judge has used up its grant of ${lacks.join(' and ')}.`,
  waitMs: null,
  checkpoint: null,
  reruns: 0,
});
