import { tryParseJson } from '../../../domain/util/try-parse-json.ts';
import * as z from 'zod';

import { readErrorBody } from './read-error-body.ts';

const chatBody = z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })) });

/**
 * Some thinking models refuse a conversation in which a message of their own lacks `reasoning_content`, even where they had not
 * thought. The same request with the field in each of them (a space: some count an empty one as missing); undefined where that is not the trouble, or nothing would change.
 */
export function withReasoning(body: string, refusal: { status: number; body: string }): string | undefined {
  if (refusal.status !== 400 || !/\breasoning_content\b/.test(readErrorBody(refusal.body).message)) return undefined;
  const parsed = chatBody.safeParse(tryParseJson(body));
  if (!parsed.success) return undefined;
  const lacks = ({ role, ...rest }: { role: string }): boolean =>
    role === 'assistant' && !('reasoning_content' in rest);
  if (!parsed.data.messages.some(lacks)) return undefined;
  const messages = parsed.data.messages.map((message) =>
    lacks(message) ? { ...message, reasoning_content: ' ' } : message,
  );
  return JSON.stringify({ ...parsed.data, messages });
}
