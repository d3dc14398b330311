import type { TurnInput } from '../../domain/conversation/entry.ts';
import { sumTokens } from '../../domain/conversation/spending.ts';
import { buildFailure } from '../../domain/failure/build-failure.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import { computeCost, costOfReply } from '../../domain/llm/price.ts';
import type { CompactionParts } from './compaction/compaction-log.ts';
import { compactAfterOverflow, fitRequest } from './compaction/fit-request.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { ModelError, type ModelReply, type ModelRequest } from '../llm/ports/model.ts';
import { settleUsage, soundAmount } from '../llm/provider/usage.ts';
import type { Store } from '../store/store.ts';
import { untilAborted } from '../system/until-aborted.ts';
import type { AgentEnd } from './agent-end.ts';
import type { ConversationLog } from './conversation-log.ts';

export interface AskParts extends CompactionParts {
  log: ConversationLog;
  /** Holds the images. */
  store: Pick<Store, 'get'>;
  redactFailure: (failure: Failure) => Failure;
  /** Between 0 and 1. */
  random: () => number;
  onText?: (text: string) => void;
}

const perCall = ['modelCalls', 'tokens', 'costUsd'] as const;

/**
 * One request: reserved, asked, settled. Nothing is returned when the turn is in the log. A failed one says whether it passes. A request that the provider refused as too large is asked once more, shorter.
 */
export async function askModel(
  turnInput: TurnInput,
  parts: AskParts,
): Promise<Exclude<AgentEnd, { progress: boolean }> | ModelUnavailable | undefined> {
  const end = await askOnce(turnInput, parts);
  if (end?.kind !== 'refused') return end;
  const isCompacted = await compactAfterOverflow(turnInput, end.size, parts);
  if (parts.signal.aborted) return { kind: 'aborted' };
  const again = isCompacted ? await askOnce(turnInput, parts) : end;
  return again?.kind === 'refused' ? { kind: 'failed', failure: again.failure } : again;
}

async function askOnce(
  turnInput: TurnInput,
  parts: AskParts,
): Promise<Exclude<AgentEnd, { progress: boolean }> | ModelUnavailable | Refused | undefined> {
  const { log } = parts;
  const { conversation } = log;
  const { frame } = conversation;
  const spent = perCall.filter((key) => parts.left(key) <= 0);
  if (spent.length > 0) return { kind: 'out-of-budget', keys: spent };
  const fitting = await fitRequest(turnInput, parts);
  if (fitting === 'aborted') return { kind: 'aborted' };
  if (fitting === 'overflow') return { kind: 'failed', failure: overflow(frame.model.context) };
  const { messages, input, maxOutput, thinking } = fitting;
  const n = conversation.turns + 1;
  const reserve = { input, output: maxOutput + thinking, cached: 0, reasoning: thinking };
  await log.append({ k: 'call', n, tokens: sumTokens(reserve), costUsd: computeCost(reserve, frame.model.price) });
  const request: ModelRequest = {
    model: frame.model,
    system: frame.system,
    messages,
    tools: frame.tools,
    thinking: frame.thinking,
    maxOutput,
    asker: { ...parts.owner.asker, turn: n },
    signal: parts.signal,
    readImage: (image) => parts.store.get(image),
  };
  const reply = await callOnce(request, parts);
  if ('kind' in reply) {
    const isTooLarge = reply.kind === 'failed' && reply.failure.type === 'context-overflow';
    return isTooLarge ? { kind: 'refused', failure: reply.failure, size: { input, output: maxOutput } } : reply;
  }
  const { usage } = settleUsage(reply.usage, request, reply.parts);
  const costUsd = costOfReply({ ...reply, usage }, frame.model.price);
  const { parts: replyParts, finish, took } = reply;
  await log.append({
    k: 'turn',
    n,
    heard: turnInput,
    parts: replyParts,
    finish,
    usage,
    costUsd,
    took: soundAmount(took),
  });
  return undefined;
}

/** The model could not be asked, and later it can. */
export interface ModelUnavailable {
  kind: 'trouble';
  failure: Failure;
  waitMs: number;
}

/** The provider took the request for too large, which we did not. */
interface Refused {
  kind: 'refused';
  failure: Failure;
  size: { input: number; output: number };
}

type NoReply = ModelUnavailable | Extract<AgentEnd, { kind: 'failed' | 'aborted' }>;

async function callOnce(given: ModelRequest, parts: AskParts): Promise<ModelReply | NoReply> {
  const { models, log, signal, onText } = parts;
  const stream = { hasBegun: false };
  const request = {
    ...given,
    onText: (text: string) => {
      stream.hasBegun = true;
      onText?.(text);
    },
  };
  try {
    return await untilAborted(models.call(request), signal);
  } catch (error) {
    // Its request stays charged: nobody knows what the provider did of it.
    if (signal.aborted) return { kind: 'aborted' };
    if (!(error instanceof ModelError)) throw error;
    const failure = parts.redactFailure(error.failure);
    const charged = stream.hasBegun || error.mayCost;
    await log.append({ k: 'failed', n: request.asker.turn, type: failure.type, charged });
    if (failure.category !== 'transient') return { kind: 'failed', failure };
    return { kind: 'trouble', failure, waitMs: waitAfter(log.conversation.failures, error.retryAfter, parts.random()) };
  }
}

/** The provider's word, else longer each time; never the same for many that failed together. */
function waitAfter(failures: number, requestedWait: number | undefined, random: number): number {
  const { first, factor, most } = activityLimits.agent.wait;
  const base = requestedWait ?? Math.min(most, first * factor ** Math.max(0, failures - 1));
  const jitter = requestedWait === undefined ? base * (random - 0.5) : Math.min(base * 0.1, first) * random;
  return Math.ceil(Math.min(activityLimits.maxRetryAfter, base + jitter));
}

function overflow(context: number): Failure {
  return buildFailure('context-overflow', {
    summary: `The conversation has grown beyond the ${context} tokens that the model takes.`,
    signed: 'context-overflow',
    hasExplanation: false,
  });
}
