import { formatDuration } from '../text/duration.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { NextStep, Strategy } from '../types/ladder.ts';
import type { SuspendReason } from '../types/outcome.ts';
import type { Describers, EventOf } from './describers.ts';
import { joinSentence } from './sentence.ts';

/** How the events of an attempt are shown, with those of the tools that it used. */
export const attemptEvents = {
  'attempt.started': ({ type, subtask, record }) => {
    const { attempt, rung, tier, thinking, strategy } = record;
    return { type, subtask, attempt, rung, tier, thinking, strategy, text: formatStart(subtask, record) };
  },
  'attempt.suspended': (event) => {
    const { type, subtask, attempt, why, waitMs, resumeFrom } = event;
    return { type, subtask, attempt, why, phase: resumeFrom.phase, waitMs, text: formatSuspended(event) };
  },
  'attempt.resumed': ({ type, subtask, attempt, why }) => {
    return { type, subtask, attempt, why, text: `Attempt ${attempt} of ${subtask} is resumed after ${pauses[why]}.` };
  },
  'attempt.rerun': ({ type, subtask, attempt, reruns }) => {
    const text = `A crash interrupted attempt ${attempt} of ${subtask}; the same attempt was run again with the same key.`;
    return { type, subtask, attempt, reason: 'crash', reruns, text };
  },
  'attempt.passed': ({ type, subtask, attempt, record: { verdict } }) => {
    const text = `Attempt ${attempt} of ${subtask} ${verdict === 'unchecked' ? 'ended unchecked' : 'passed'}.`;
    return { type, subtask, attempt, verdict, text };
  },
  'attempt.failed': (event) => {
    const { subtask, attempt } = event;
    const { type, category, signature, code, summary } = event.failure;
    const text = `${subtask}: ${joinSentence(summary, formatNext(event))}`;
    const failure = { type, category, signature };
    return { type: event.type, subtask, attempt, failure, text, ...(code === undefined ? {} : { code }) };
  },
  'tool.refused': ({ type, subtask, attempt, tool, why }) => {
    return { type, subtask, attempt, tool, why, text: `A call of ${tool} by ${subtask} was refused: ${why}` };
  },
  'repository.changed': (event) => {
    const { type, subtask, attempt, path, state, removed } = event;
    return { type, subtask, attempt, path, state, removed, text: formatRepository(event) };
  },
  verdict: (event) => {
    const { type, subtask, attempt, outcome, judgement } = event;
    const judgementPart = judgement === undefined ? {} : { judgement };
    return { type, subtask, attempt, outcome, ...judgementPart, text: formatVerdict(event) };
  },
} satisfies Partial<Describers>;

function formatStart(subtask: string, record: AttemptRecord): string {
  if (record.attempt === 1) return `Attempt 1 of ${subtask} (tier ${record.tier}).`;
  return `Attempt ${record.attempt} of ${subtask} with what was learned (rung ${record.rung}, tier ${record.tier}${record.thinking ? ', thinking' : ''}).`;
}

/** Names of the causes that an attempt waited for. */
const pauses: Record<SuspendReason, string> = {
  approval: 'an approval',
  question: 'an answer',
  'unknown-effect': 'an answer',
  budget: 'it ran out of budget',
  wait: 'a wait',
  environment: 'a wait for the environment',
  pause: 'a pause',
};

function formatSuspended({ subtask, attempt, reason, waitMs, resumeFrom }: EventOf<'attempt.suspended'>): string {
  const what =
    { execute: '', verify: 'the check of ', judge: 'the judgement of ' }[resumeFrom.phase] + `attempt ${attempt}`;
  const when = waitMs === null ? 'waits' : `continues in ${formatDuration(waitMs)}`;
  return `${subtask}: ${joinSentence(reason, `${what} ${when}`)}`;
}

function formatVerdict({ subtask, outcome, issues, judgement }: EventOf<'verdict'>): string {
  if (outcome === 'inconclusive')
    return `The judge of ${subtask} claims something that no file shows; only the judge is asked again: ${issues}`;
  if (outcome === 'unchecked') return `Nothing checked the result of ${subtask}${issues === '' ? '.' : `: ${issues}`}`;
  const who = judgement === undefined ? 'checks' : 'checks and judges';
  return `The ${who} of ${subtask} ${issues === '' ? 'passed.' : `found: ${issues}`}`;
}

const ways: Record<Strategy, string> = {
  first: 'with this feedback',
  feedback: 'with this feedback',
  guidance: 'with this feedback',
  stronger: 'with a stronger model',
  strongest: 'with the strongest model and more thinking',
  remembered: 'in the way that fixed it before',
  remediation: 'to find the evidence',
};

/** The same where one model does all the work. */
const waysOfOneModel: Record<Strategy, string> = {
  ...ways,
  stronger: 'with a fresh start',
  strongest: 'with more thinking',
};

/** Strategies that use a stronger model where one does the work. */
const stronger: ReadonlySet<Strategy> = new Set(['stronger', 'strongest']);

function formatNext({ next, waitMs, nextTier, sameModel }: EventOf<'attempt.failed'>): string {
  const soon = waitMs > 0 ? ` in ${formatDuration(waitMs)}` : '';
  switch (next.kind) {
    case 'climb': {
      const named = (sameModel === true ? waysOfOneModel : ways)[next.strategy];
      const way = nextTier !== undefined && stronger.has(next.strategy) ? `at tier ${nextTier}` : named;
      return `trying again ${way}${soon}`;
    }
    case 'remedy':
      return formatRemedy(next.then, soon);
    case 'owed':
      return 'the evidence was not found';
    case 'person':
      return 'a person is needed';
    case 'fail':
      return 'no rung is left';
    case 'stopped':
      return 'the task is stopping';
  }
}

function formatRemedy(then: (NextStep & { kind: 'remedy' })['then'], soon: string): string {
  if (then === 'try') return `trying to find the evidence, or to take the claims out${soon}`;
  return then === 'release' ? 'the evidence is owed' : 'the evidence is looked for once more at the end';
}

/** Nobody took anything out of a repository that was not found. */
const formatUnsearched = (subtask: string): string =>
  `The workspace has more folders than are searched for repositories that ${subtask} makes or changes. Look for new ones before you use git there.`;

function formatRepository({ subtask, path, state, removed }: EventOf<'repository.changed'>): string {
  if (state === 'unsearched') return formatUnsearched(subtask);
  const did = state === 'created' ? 'made the repository' : 'changed the settings of the repository';
  const taken = removed.length === 0 ? '' : ` Removed from it, since git would run it for you: ${removed.join(', ')}.`;
  return `${subtask} ${did} ${path}.${taken}`;
}
