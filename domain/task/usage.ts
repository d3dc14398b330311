import type { CliFacts, CompletionContract } from '../types/basic/completion-contract.ts';
import type { Used } from '../types/outcome.ts';
import { roundUsd } from '../util/usd.ts';

export const nothingUsed: Used = { costUsd: 0, tokens: 0 };

/** What was used so far, and what one more execution says it used. One that says nothing has used nothing that anybody knows of. */
export function addUsed(so: Used, more: Partial<Used> | undefined): Used {
  const costUnknown = more?.costUnknown ?? so.costUnknown;
  return {
    costUsd: roundUsd(so.costUsd + (more?.costUsd ?? 0)),
    tokens: so.tokens + (more?.tokens ?? 0),
    ...(costUnknown === undefined ? {} : { costUnknown }),
  };
}

/** An agent program knows what it used better than the model that it asked; where it does not say what it cost, nobody does. */
export function usedBy(cli: CliFacts | undefined, contract: CompletionContract | undefined): Partial<Used> {
  const { costUsd, tokens } = { ...amountsOf(contract), ...amountsOf(cli) };
  return {
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cli !== undefined && costUsd === undefined ? { costUnknown: 'unusable' } : {}),
  };
}

type Amounts = Partial<Pick<Used, 'costUsd' | 'tokens'>>;

const amountsOf = ({ costUsd, tokens }: Amounts = {}): Amounts => ({
  ...(costUsd === undefined ? {} : { costUsd }),
  ...(tokens === undefined ? {} : { tokens }),
});
