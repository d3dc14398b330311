import type { Heard } from '../../domain/conversation/entry.ts';
import { tokensOf } from '../../domain/conversation/spending.ts';
import { failureOf } from '../../domain/failure/failure-of.ts';
import type { GrantKey } from '../../domain/model/agent.ts';
import type { Failure } from '../../domain/model/failure.ts';
import { priceOf } from '../../domain/models/price.ts';
import { activityLimits } from '../limits.ts';
import { orAborted } from '../models/or-aborted.ts';
import { amount, soundUsage } from '../models/sound-usage.ts';
import { ModelError, type Asker, type ModelReply, type ModelRequest, type Models } from '../models/model.ts';
import { thinkingTokensOf } from '../models/thinking.ts';
import type { AgentEnd } from './agent-end.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { TokenMeter } from './token-meter.ts';

export interface AskParts {
  models: Models;
  log: ConversationLog;
  meter: TokenMeter;
  asker: Omit<Asker, 'turn'>;
  /** Ends the request: the task, the worker, or the time of the attempt. */
  signal: AbortSignal;
  left: (key: GrantKey) => number;
  hideIn: (failure: Failure) => Failure;
  /** Between 0 and 1. */
  random: () => number;
  onText?: (text: string) => void;
}

const perCall = ['modelCalls', 'tokens', 'costUsd'] as const;

/** One request: reserved, asked, settled. Nothing is returned when the turn is in the log. A failed one says whether it passes. */
export async function askModel(
  heard: Heard,
  parts: AskParts,
): Promise<Exclude<AgentEnd, { progress: boolean }> | Trouble | undefined> {
  const { log, meter } = parts;
  const { conversation } = log;
  const { frame } = conversation;
  const spent = perCall.filter((key) => parts.left(key) <= 0);
  if (spent.length > 0) return { kind: 'out-of-budget', keys: spent };
  const messages = conversation.messagesWith(heard);
  const input = meter.request(frame, messages, conversation.last?.usage);
  // Providers count thinking as output.
  const thinking = thinkingTokensOf(frame.model, frame.thinking);
  const maxOutput = Math.min(frame.maxOutput, frame.model.context - input - thinking);
  if (maxOutput < Math.min(frame.maxOutput, activityLimits.agent.leastOutput))
    return { kind: 'failed', failure: overflow(frame.model.context) };
  const n = conversation.turns + 1;
  const reserve = { input, output: maxOutput + thinking, cached: 0, reasoning: thinking };
  await log.append({ k: 'call', n, tokens: tokensOf(reserve), costUsd: priceOf(reserve, frame.model.price) });
  const request: ModelRequest = {
    model: frame.model,
    system: frame.system,
    messages,
    tools: frame.tools,
    thinking: frame.thinking,
    maxOutput,
    asker: { ...parts.asker, turn: n },
    signal: parts.signal,
  };
  const reply = await callOnce(request, parts);
  if ('kind' in reply) return reply;
  const usage = soundUsage(reply.usage);
  const costUsd = priceOf(usage, frame.model.price);
  const { parts: said, finish, took } = reply;
  await log.append({ k: 'turn', n, heard, parts: said, finish, usage, costUsd, took: amount(took) });
  return undefined;
}

/** The model could not be asked, and later it can. */
export interface Trouble {
  kind: 'trouble';
  failure: Failure;
  waitMs: number;
}

type NoReply = Trouble | Extract<AgentEnd, { kind: 'failed' | 'aborted' }>;

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
    return await orAborted(models.call(request), signal);
  } catch (error) {
    // Its request stays charged: nobody knows what the provider did of it.
    if (signal.aborted) return { kind: 'aborted' };
    if (!(error instanceof ModelError)) throw error;
    const failure = parts.hideIn(error.failure);
    const charged = stream.hasBegun || error.mayCost;
    await log.append({ k: 'failed', n: request.asker.turn, type: failure.type, charged });
    if (failure.category !== 'transient') return { kind: 'failed', failure };
    return { kind: 'trouble', failure, waitMs: waitAfter(log.conversation.failures, error.retryAfter, parts.random()) };
  }
}

/** The provider's word, else longer each time; never the same for many that failed together. */
function waitAfter(failures: number, asked: number | undefined, random: number): number {
  const { first, factor, most } = activityLimits.agent.wait;
  const base = asked ?? Math.min(most, first * factor ** Math.max(0, failures - 1));
  const jitter = asked === undefined ? base * (random - 0.5) : Math.min(base * 0.1, first) * random;
  return Math.ceil(Math.min(activityLimits.maxRetryAfter, base + jitter));
}

function overflow(context: number): Failure {
  return failureOf('context-overflow', {
    summary: `The conversation has grown beyond the ${context} tokens that the model takes.`,
    signed: 'context-overflow',
  });
}
