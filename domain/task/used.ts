import type { CompletionContract } from '../model/completion-contract.ts';
import type { Used } from '../model/outcome.ts';
import { roundUsd } from '../usd.ts';

export const nothingUsed: Used = { costUsd: 0, tokens: 0 };

/** What was used so far, and what one more execution says it used. One that says nothing has used nothing that anybody knows of. */
export function addUsed(so: Used, contract: Pick<CompletionContract, 'costUsd' | 'tokens'> | undefined): Used {
  return {
    costUsd: roundUsd(so.costUsd + (contract?.costUsd ?? 0)),
    tokens: so.tokens + (contract?.tokens ?? 0),
  };
}
