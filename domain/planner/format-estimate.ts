import type { PlanPreview } from '../types/planner.ts';

/** As a part of a sentence. A guess is said in thousands. */
export const formatEstimate = ({ costUsd, tokens }: PlanPreview['estimate']): string =>
  `about ${Math.round(tokens / 1_000)}k tokens, $${costUsd.toFixed(2)}`;
