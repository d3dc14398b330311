import { advise, type Habits } from '../../domain/conversation/habits.ts';
import type { Answer } from '../../domain/conversation/entry.ts';
import type { Call } from '../../domain/conversation/turn.ts';
import { clip } from '../../domain/text/text.ts';
import { activityLimits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import type { ToolOutcome } from '../tools/tool.ts';

export interface AnswerParts {
  store: Pick<Store, 'put'>;
  /** Removes secrets. */
  hide: (text: string) => string;
  habits: Habits;
}

/** An outcome as the model is told of it: without secrets, bounded, the whole by reference, with advice where it errs again and again. */
export async function makeAnswer(
  { place, id, tool }: Call,
  kind: Answer['kind'],
  outcome: Pick<ToolOutcome, 'ok' | 'text' | 'whole' | 'person'>,
  { store, hide, habits, beside }: AnswerParts & { beside: readonly Answer[] },
): Promise<Answer> {
  const { toolText } = activityLimits.agent;
  const text = hide(outcome.text);
  const whole = outcome.whole ?? (text.length > toolText ? outcome.text : undefined);
  const plain: Answer = {
    call: place,
    id,
    tool,
    kind,
    text:
      text.length > toolText ? `${clip(text, toolText)}\n(cut: the result was longer than this)` : text || '(nothing)',
    isError: !outcome.ok,
    ...(whole === undefined ? {} : { whole: await store.put(hide(whole)) }),
    ...(outcome.person === undefined ? {} : { person: hide(outcome.person) }),
  };
  const isOften = plain.isError && habits.needsAdvice(plain, beside);
  return isOften ? { ...plain, text: advise(plain.text) } : plain;
}
