import { sumTokens } from '../../../domain/conversation/spending.ts';
import { joinReplyText } from '../../../domain/conversation/turn.ts';
import { costOfReply } from '../../../domain/llm/price.ts';
import { clip } from '../../../domain/text/text.ts';
import { ModelError, type ModelRequest, type Models } from '../ports/model.ts';
import { settleUsage } from '../provider/usage.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import type { LedgerReply } from './request-ledger.ts';

/** A question without tools. */
export type Request = Pick<ModelRequest, 'model' | 'system' | 'messages' | 'maxOutput' | 'asker'>;

/** How a request ended, and how long its provider asked to wait. */
export interface Replied {
  answer: LedgerReply;
  retryAfter?: number | undefined;
}

interface Sending {
  signal: AbortSignal;
  redact: (text: string) => string;
  /** Milliseconds of one request: a silent provider must not hold what waits for it. */
  timeout: number;
  /** Characters of an answer that are kept. */
  longest: number;
}

/** One request that ends in an answer for the ledger, whatever comes of it. Throws only when it is stopped. */
export async function sendRequest(
  calls: Models,
  request: Request,
  { signal: stop, redact, timeout, longest }: Sending,
): Promise<Replied> {
  const late = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([stop, late]);
  try {
    const reply = await untilAborted(calls.call({ ...request, tools: [], thinking: false, signal }), signal);
    const { usage } = settleUsage(reply.usage, { ...request, tools: [] }, reply.parts);
    const whole = redact(joinReplyText(reply.parts));
    const isCut = reply.finish === 'length' || reply.finish === 'refusal' || whole.length > longest;
    const text = clip(whole, longest);
    const { price } = request.model;
    const spent = { tokens: sumTokens(usage), costUsd: costOfReply({ ...reply, usage }, price) };
    return { answer: { kind: 'said', text, ...spent, ...(isCut ? { cut: true } : {}) } };
  } catch (error) {
    stop.throwIfAborted();
    if (late.aborted) return { answer: { kind: 'failed', type: 'timeout', passes: true, charged: true } };
    if (!(error instanceof ModelError)) throw error;
    const { failure, retryAfter, mayCost } = error;
    // Temporal's retries are not used inside: they would multiply the requests.
    const passes = failure.category === 'transient' || failure.category === 'environment';
    const why = redact(failure.summary);
    return { answer: { kind: 'failed', type: failure.type, passes, charged: mayCost, why }, retryAfter };
  }
}
