import type { AgentEnd } from '../../agent/agent-end.ts';
import type { ConversationLog } from '../../agent/conversation-log.ts';
import { describeLog } from '../../../domain/conversation/describe.ts';
import { writeTranscript } from '../../../domain/conversation/transcript.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import { readsOutside } from '../../../domain/lessons/outside-tools.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { Failed, Finished, Outcome, Suspended, ToolFailure } from '../../../domain/types/outcome.ts';
import { clip, oneLine } from '../../../domain/text/text.ts';
import type { Ask } from '../../../domain/types/agent.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { listShown } from '../../memory/recall-lessons.ts';
import type { RunningRecord } from '../../attempt/running-record.ts';
import { redactContract } from '../../redact/redact-results.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { Store } from '../../store/store.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { takeTail } from '../../programs/tail-buffer.ts';
import { buildOutcome } from '../program/describe-outcome.ts';

/** Facts that every outcome of an agent has. */
export type AgentFacts = Pick<
  Failed,
  | 'used'
  | 'reruns'
  | 'restored'
  | 'models'
  | 'output'
  | 'transcript'
  | 'refusals'
  | 'repositories'
  | 'gated'
  | 'evidence'
  | 'failedCalls'
  | 'toolFailures'
  | 'lessons'
  | 'readOutside'
>;

interface AgentFactsParts {
  store: Pick<Store, 'put'>;
  redact: (text: string) => string;
  record: Pick<RunningRecord, 'reruns' | 'restored' | 'lessons'>;
  refusals: { tool: string; why: string }[];
  repositories: RepositoryChange[];
  /** Commands of the agent reach the network. */
  hasNetwork: boolean;
}

/** Keeps what people read of the conversation, and says what it used. */
export async function buildAgentFacts(log: ConversationLog, parts: AgentFactsParts): Promise<AgentFacts> {
  const { store, redact, record, refusals, repositories, hasNetwork } = parts;
  const { spending } = log.conversation;
  const isOutside = (tool: string): boolean => readsOutside(tool) || (hasNetwork && tool === 'shell');
  const lines = describeLog(log.entries);
  return {
    used: spending.used,
    reruns: record.reruns,
    models: spending.models,
    output: await store.put(redact(lines.map((line) => `${line}\n`).join(''))),
    transcript: await store.put(redact(writeTranscript(log.entries))),
    ...(record.restored === undefined ? {} : { restored: record.restored }),
    ...(record.lessons === undefined || record.lessons.length === 0 ? {} : { lessons: listShown(record.lessons) }),
    ...(spending.hasUsed(isOutside) ? { readOutside: true } : {}),
    ...(refusals.length === 0 ? {} : { refusals }),
    ...(repositories.length === 0 ? {} : { repositories }),
    ...(log.conversation.gated ? { gated: true } : {}),
    ...(spending.failedCalls > 0
      ? { failedCalls: spending.failedCalls, toolFailures: boundFailures(spending.toolFailures, redact) }
      : {}),
  };
}

const boundFailures = (failures: readonly ToolFailure[], redact: AgentFactsParts['redact']): ToolFailure[] =>
  failures.slice(0, limits.recordedToolFailures).map(({ last, ...failure }) => ({
    ...failure,
    last: clip(oneLine(redact(last)), limits.summary),
  }));

type Ended = Exclude<AgentEnd, { kind: 'aborted' | 'transient' }>;

/** Builds the outcome from the end of the loop. */
export async function outcomeOfAgent(
  end: Ended,
  facts: AgentFacts,
  parts: Pick<AgentFactsParts, 'store' | 'redact'> & { redactor: Redactor; timeout: number },
): Promise<Outcome> {
  switch (end.kind) {
    case 'reported':
      return { ...(await outcomeOfReport(end, facts, parts)), ...facts };
    case 'failed':
      return { kind: 'failed', failure: end.failure, ...facts };
    case 'asks':
      return suspended(whys[end.asks.kind], formatAsk(end.asks), { ...facts, asks: end.asks });
    case 'out-of-budget':
      return suspended('budget', `It has used up its grant of ${end.keys.join(' and ')}.`, facts);
    case 'paused':
      return suspended('pause', 'The task is paused.', facts);
  }
}

export function suspended(
  why: Suspended['why'],
  reason: string,
  facts: AgentFacts & Pick<Suspended, 'asks'>,
  waitMs: number | null = null,
): Suspended {
  return { kind: 'suspended', why, reason, waitMs, checkpoint: null, ...facts };
}

/**
 * Images that the agent was shown are in the store, and only its log refers to them: the history of an open task keeps objects from being
 * pruned.
 */
export async function keepImages(
  outcome: Outcome,
  { conversation }: ConversationLog,
  store: Pick<Store, 'put'>,
): Promise<Outcome> {
  if (outcome.kind !== 'suspended' || conversation.images.length === 0) return outcome;
  return { ...outcome, checkpoint: await store.put(JSON.stringify({ images: conversation.images })) };
}

const whys: Record<Ask['kind'], Suspended['why']> = {
  question: 'question',
  'unknown-effect': 'unknown-effect',
  gate: 'approval',
};

function formatAsk(asks: Ask): string {
  switch (asks.kind) {
    case 'question':
      return 'It asks a person a question.';
    case 'unknown-effect':
      return `It is not known whether this took effect: ${asks.action}`;
    case 'gate':
      return `It needs approval before it runs ${asks.tool}.`;
  }
}

/** A report is read like that of a program: it is taken at face value, and a failure is classified by its text. */
async function outcomeOfReport(
  { contract: given, text }: Extract<AgentEnd, { kind: 'reported' }>,
  agentFacts: AgentFacts,
  {
    store,
    redact,
    redactor,
    timeout,
  }: Pick<AgentFactsParts, 'store' | 'redact'> & { redactor: Redactor; timeout: number },
): Promise<Finished | Failed> {
  const plain = redactContract(given, redactor);
  const contract = plain.notes === undefined ? plain : { ...plain, notes: redact(plain.notes) };
  const finalText = redact(text.trim() === '' ? (contract.notes ?? '') : text);
  const stdout = finalText === '' ? {} : { stdout: await store.put(finalText) };
  const facts = {
    end: 'exited' as const,
    exitCode: 0,
    signal: null,
    contract,
    stdoutTail: takeTail(finalText, activityLimits.outputTail),
    stderrTail: '',
    stdoutBytes: Buffer.byteLength(finalText),
    ...stdout,
  };
  const outcome = buildOutcome(facts, agentFacts, timeout);
  if (outcome.kind !== 'failed') return outcome;
  const { category, summary, details } = outcome.failure;
  // The conversation has ended: going on with it later would only repeat the report.
  const isOver = category === 'transient' || category === 'environment';
  return isOver ? { ...outcome, failure: buildFailure('tool-failed', { summary, details }) } : outcome;
}
