import type { CompletionContract } from '../model/completion-contract.ts';
import type { Used } from '../model/outcome.ts';

export const nothingUsed: Used = { costUsd: 0, tokens: 0 };

/** A billionth of a dollar: what adding up fractions invents is below it. */
const grain = 1e9;

/** What was used so far, and what one more execution says it used. One that says nothing has used nothing that anybody knows of. */
export function addUsed(so: Used, contract: Pick<CompletionContract, 'costUsd' | 'tokens'> | undefined): Used {
  return {
    costUsd: Math.round((so.costUsd + (contract?.costUsd ?? 0)) * grain) / grain,
    tokens: so.tokens + (contract?.tokens ?? 0),
  };
}
