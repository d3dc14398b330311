import type { LogEntryOf } from '../../../domain/conversation/entry.ts';
import type { Exchange } from '../../../domain/conversation/exchange.ts';
import { sumTokens } from '../../../domain/conversation/spending.ts';
import { joinReplyText } from '../../../domain/conversation/turn.ts';
import { contextRulesOf } from '../../../domain/compaction/window-pressure.ts';
import type { ModelSummary } from '../../../domain/compaction/summary.ts';
import { summaryRequest } from '../../../domain/compaction/summary-prompt.ts';
import type { Model } from '../../../domain/types/llm.ts';
import { computeCost, costOfReply } from '../../../domain/llm/price.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { ModelError, type ModelReply, type ModelRequest } from '../../llm/ports/model.ts';
import { settleUsage, soundAmount } from '../../llm/provider/usage.ts';
import { systemPrompt } from '../../prompts/system-prompt.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import type { CompactionParts } from './compaction-log.ts';

/** A model's summary of merged turns. */
export type MergedSummary = NonNullable<LogEntryOf<'fold'>['by']>;

interface SummaryInput {
  /** The last turn that it is to tell of. */
  upTo: number;
  earlier: ModelSummary | undefined;
  /** Those that the earlier summary does not tell. */
  exchanges: readonly Exchange[];
  /** Tokens of the summary. */
  most: number;
}

/**
 * Asks the model for summaries, where there is one and it is worth its price. Undefined: it was not asked, or gave nothing of use, and the
 * turns are listed instead. It is reserved and settled as every call is, and never waited for twice.
 */
export async function askCompactor(
  summaryInput: SummaryInput,
  parts: CompactionParts,
): Promise<MergedSummary | 'aborted' | undefined> {
  const { log, signal } = parts;
  const { frame, summaries, turns } = log.conversation;
  const model = frame.compactor;
  if (model === undefined || !mayAsk(summaryInput, parts)) return undefined;
  const maxOutput = Math.min(summaryInput.most, model.output);
  const system = frame.compactorSystem ?? systemPrompt('compactor', {});
  const own = parts.meter.text(system);
  const text = fittingRequest(summaryInput, model.context - maxOutput - own, parts);
  const input = own + parts.meter.text(text);
  const reserve = { input, output: maxOutput, cached: 0, reasoning: 0 };
  const cost = { tokens: sumTokens(reserve), costUsd: computeCost(reserve, model.price) };
  if (!isAffordable(cost, model, parts)) return undefined;
  await log.append({ k: 'call', n: turns + 1, ...cost, compactor: model.name });
  const failed = (type: string, charged: boolean): Promise<void> =>
    log.append({ k: 'failed', n: turns + 1, type, charged, compactor: model.name });
  const timed = AbortSignal.any([signal, AbortSignal.timeout(activityLimits.agent.summaryTimeout)]);
  const request: ModelRequest = {
    model,
    system,
    messages: [{ from: 'user', text }],
    tools: [],
    thinking: false,
    maxOutput,
    asker: { ...parts.owner.asker, role: 'compactor', turn: summaries.ended + 1 },
    signal: timed,
  };
  let reply: ModelReply;
  try {
    reply = await untilAborted(parts.models.call(request), timed);
  } catch (error) {
    if (signal.aborted) return 'aborted';
    if (!(error instanceof ModelError) && !timed.aborted) throw error;
    await failed(error instanceof ModelError ? error.failure.type : 'timeout', timed.aborted || isCostly(error));
    return undefined;
  }
  const summary = parts.owner.redact(joinReplyText(reply.parts).trim());
  if (summary === '' || reply.finish !== 'stop') {
    await failed('format-invalid', true);
    return undefined;
  }
  const { usage } = settleUsage(reply.usage, request, reply.parts);
  const costUsd = costOfReply({ ...reply, usage }, model.price);
  return { model: model.name, upTo: summaryInput.upTo, text: summary, usage, costUsd, took: soundAmount(reply.took) };
}

const isCostly = (error: unknown): boolean => error instanceof ModelError && error.mayCost;

/** Not for a few lines, not again and again, and not when time runs out. */
function mayAsk({ exchanges, most }: SummaryInput, { log, meter, timeLeft }: CompactionParts): boolean {
  const { conversation } = log;
  const tokens = meter.text(summaryRequest({ first: '', modelSummary: undefined, exchanges, most: Infinity }));
  return (
    conversation.summaries.requested < contextRulesOf(conversation).summaries &&
    timeLeft() >= activityLimits.agent.summaryLeastTime &&
    tokens > most
  );
}

/** One call is left for the work itself. A price that nobody knows would break a limit unseen. */
function isAffordable(cost: { tokens: number; costUsd: number }, { price }: Model, { left }: CompactionParts): boolean {
  const isPriced = price !== undefined || left('costUsd') === Infinity;
  return isPriced && left('modelCalls') > 1 && left('tokens') > cost.tokens && left('costUsd') > cost.costUsd;
}

/** The text is shortened until it fits the window of the model that is asked. */
function fittingRequest({ earlier, exchanges }: SummaryInput, room: number, { log, meter }: CompactionParts): string {
  const { first } = log.conversation.frame;
  const { summarised, summaryHalvings } = activityLimits.agent;
  const of = (most: number): string => summaryRequest({ first, modelSummary: earlier, exchanges, most });
  let text = of(summarised);
  for (let halving = 1; halving <= summaryHalvings && meter.text(text) > room; halving += 1)
    text = of(Math.floor(summarised / 2 ** halving));
  return text;
}
