import type { Conversation } from '../conversation/conversation.ts';
import { limits } from '../limits/domain-limits.ts';
import { defaultContext, type ContextRules } from '../types/basic/compaction-rules.ts';

const { context } = limits;

/** In tokens. */
export interface Window {
  /** What a request may have: the model's context without the place for its reply; the shares of the rules are of this. */
  budget: number;
  /** What it may have at most, so that a short reply still fits. */
  most: number;
  /** What request and reply may have together. */
  whole: number;
}

/** What is known of a model's window: by the config, and by requests that its provider refused as too large. */
export function estimateWindow(
  { frame, folds }: Pick<Conversation, 'frame' | 'folds'>,
  { thinking, leastOutput }: { thinking: number; leastOutput: number },
): Window {
  const { model, maxOutput } = frame;
  const refused = folds.flatMap((fold) => fold.refused ?? []);
  const inputs = refused.map(({ input }) => input);
  const believed = (tokens: number): number => Math.floor(tokens * context.refusedShare);
  const statedWindow = model.context - thinking;
  const safe = Math.floor(model.context * (1 - context.margin)) - thinking;
  const reply = Math.min(maxOutput, Math.floor(statedWindow * context.outputShare));
  return {
    budget: Math.max(1, Math.min(statedWindow - reply, ...inputs.map(believed))),
    most: Math.min(safe - Math.min(maxOutput, leastOutput), ...inputs),
    whole: Math.min(safe, ...refused.map(({ input, output }) => believed(input + output))),
  };
}

export const rulesOf = ({ frame }: Pick<Conversation, 'frame'>): ContextRules => frame.context ?? defaultContext;

export type Pressure = 'none' | 'soft' | 'hard';

/** How tight it is. Shortly after a fold a soft pressure is none: a beginning that changes at each turn is in no provider's cache. */
export function assessPressure(
  input: number,
  { budget, most }: Window,
  conversation: Pick<Conversation, 'frame' | 'folds' | 'turns'>,
): Pressure {
  const { mode, soft, hard, pause } = rulesOf(conversation);
  if (mode === 'off') return 'none';
  if (input >= hard * budget || input > most) return 'hard';
  if (input < soft * budget) return 'none';
  const last = conversation.folds.at(-1);
  return last !== undefined && conversation.turns - last.n < pause ? 'none' : 'soft';
}
