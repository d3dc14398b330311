import type { Model } from '../../../domain/types/llm.ts';
import { activityLimits } from '../../limits/activity-limits.ts';

const { thinkingTokens, leastThinkingTokens } = activityLimits.models;

/**
 * Tokens that thinking may take of this model's context, beside its output. All providers count thinking as output: what goes on
 * the wire as its limit is `maxOutput` and this together.
 */
export function chooseThinkingTokens(model: Model, thinking: boolean): number {
  if (!thinking || model.thinking === 'off') return 0;
  return Math.max(leastThinkingTokens, Math.min(thinkingTokens, Math.floor(model.context / 4)));
}
