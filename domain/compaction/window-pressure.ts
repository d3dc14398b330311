import type { Conversation } from '../conversation/conversation.ts';
import { limits } from '../limits/domain-limits.ts';
import { defaultContext, type ContextRules } from '../types/basic/compaction-rules.ts';

const { context } = limits;

/** A model's window, in tokens. */
export interface Window {
  /** The budget of a request: the model's context without the room for its reply. The rules' shares refer to it. */
  budget: number;
  /** The most that a request may have with a short reply. */
  most: number;
  /** The most that request and reply may have together. */
  whole: number;
}

/** Estimates a model's window from the config and from requests that its provider refused as too large. */
export function estimateWindow(
  { frame, compactions }: Pick<Conversation, 'frame' | 'compactions'>,
  { thinking, leastOutput }: { thinking: number; leastOutput: number },
): Window {
  const { model, maxOutput } = frame;
  const refused = compactions.flatMap((compaction) => compaction.refused ?? []);
  const inputs = refused.map(({ input }) => input);
  const applyRefusedShare = (tokens: number): number => Math.floor(tokens * context.refusedShare);
  const statedWindow = model.context - thinking;
  const safe = Math.floor(model.context * (1 - context.margin)) - thinking;
  const reply = Math.min(maxOutput, Math.floor(statedWindow * context.outputShare));
  return {
    budget: Math.max(1, Math.min(statedWindow - reply, ...inputs.map(applyRefusedShare))),
    most: Math.min(safe - Math.min(maxOutput, leastOutput), ...inputs),
    whole: Math.min(safe, ...refused.map(({ input, output }) => applyRefusedShare(input + output))),
  };
}

export const contextRulesOf = ({ frame }: Pick<Conversation, 'frame'>): ContextRules => frame.context ?? defaultContext;

export type Pressure = 'none' | 'soft' | 'hard';

/** Assesses how full the window is. Soft pressure is ignored shortly after a compaction, because each change empties the provider's cache. */
export function assessPressure(
  input: number,
  { budget, most }: Window,
  conversation: Pick<Conversation, 'frame' | 'compactions' | 'turns'>,
): Pressure {
  const { mode, soft, hard, pause } = contextRulesOf(conversation);
  if (mode === 'off') return 'none';
  if (input >= hard * budget || input > most) return 'hard';
  if (input < soft * budget) return 'none';
  const last = conversation.compactions.at(-1);
  return last !== undefined && conversation.turns - last.n < pause ? 'none' : 'soft';
}
