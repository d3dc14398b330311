import { formatList } from '../text/text.ts';
import type { PlanPreview } from '../types/planner.ts';

/** Formats an estimate as part of a sentence, in thousands of tokens. A cost without a price is unknown, not nothing. */
export function formatEstimate({ costUsd, tokens, unpriced = [] }: PlanPreview['estimate']): string {
  const counted = `$${costUsd.toFixed(2)}`;
  const without = ` without ${formatList(unpriced, 3)}, whose price is unknown`;
  const cost = unpriced.length === 0 ? counted : costUsd === 0 ? 'cost unknown' : `${counted}${without}`;
  return `about ${Math.round(tokens / 1_000)}k tokens, ${cost}`;
}
