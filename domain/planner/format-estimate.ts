import type { PlanPreview } from '../types/planner.ts';

/** Formats an estimate as part of a sentence, in thousands of tokens. */
export const formatEstimate = ({ costUsd, tokens }: PlanPreview['estimate']): string =>
  `about ${Math.round(tokens / 1_000)}k tokens, $${costUsd.toFixed(2)}`;
