import { addAdvice, type Habits } from '../../domain/conversation/habits.ts';
import type { LoggedResult } from '../../domain/conversation/entry.ts';
import type { ImageRef } from '../../domain/conversation/image.ts';
import type { ToolCall } from '../../domain/conversation/turn.ts';
import { clip } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';
import type { ToolOutcome } from '../tools/common/tool.ts';
import type { ConversationOwner } from './conversation-owner.ts';

export interface AnswerParts {
  store: Pick<Store, 'put'>;
  owner: Pick<ConversationOwner, 'redact'>;
  habits: Habits;
  /** The model sees, and has been shown these. */
  sees: boolean;
  shown: readonly ImageRef[];
}

/** An outcome as the model is told of it: without secrets, bounded, the whole by reference, with advice where it errs again and again. */
export async function makeAnswer(
  { callId, id, tool }: ToolCall,
  kind: LoggedResult['kind'],
  outcome: Pick<ToolOutcome, 'ok' | 'text' | 'whole' | 'image' | 'person'>,
  parts: AnswerParts & { beside: readonly LoggedResult[] },
): Promise<LoggedResult> {
  const { store, habits, beside } = parts;
  const { redact } = parts.owner;
  const { toolText } = activityLimits.agent;
  const seen = outcome.image === undefined ? {} : await showImage(outcome.image, parts);
  const text = `${redact(outcome.text)}${seen.why ?? ''}`;
  const whole = outcome.whole ?? (text.length > toolText ? outcome.text : undefined);
  const plain: LoggedResult = {
    call: callId,
    id,
    tool,
    kind,
    text:
      text.length > toolText ? `${clip(text, toolText)}\n(cut: the result was longer than this)` : text || '(nothing)',
    isError: !outcome.ok,
    ...(whole === undefined ? {} : { whole: await store.put(redact(whole)) }),
    ...(seen.image === undefined ? {} : { image: seen.image }),
    ...(outcome.person === undefined ? {} : { person: redact(outcome.person) }),
  };
  const isOften = plain.isError && habits.needsAdvice(plain, beside);
  return isOften ? { ...plain, text: addAdvice(plain.text) } : plain;
}

/** By reference; or why it is not shown. */
async function showImage(
  { content, ...size }: NonNullable<ToolOutcome['image']>,
  { store, owner, sees, shown, beside }: AnswerParts & { beside: readonly LoggedResult[] },
): Promise<{ image?: ImageRef; why?: string }> {
  if (!sees) return { why: ' You cannot see images.' };
  // Programs write texts into images, and what a model is shown cannot be redacted.
  const text = Buffer.from(content).toString('latin1');
  if (owner.redact(text) !== text) return { why: ' It is not shown: a text inside of it holds a secret.' };
  const before = [...shown, ...beside.flatMap(({ image }) => image ?? [])];
  const bytes = before.reduce((sum, image) => sum + image.bytes, content.length);
  if (bytes > activityLimits.agent.images)
    return { why: ' It is not shown: this conversation has as many images as fit into one.' };
  return { image: { ...(await store.put(content)), ...size } };
}
