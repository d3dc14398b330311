import type { CliFacts, CompletionContract } from '../types/basic/completion-contract.ts';
import type { ResourceUsage } from '../types/outcome.ts';
import { roundUsd } from '../util/usd.ts';

export const nothingUsed: ResourceUsage = { costUsd: 0, tokens: 0 };

/** Adds the use of one more execution, as far as the execution tells it. */
export function addUsed(so: ResourceUsage, more: Partial<ResourceUsage> | undefined): ResourceUsage {
  const costUnknown = more?.costUnknown ?? so.costUnknown;
  return {
    costUsd: roundUsd(so.costUsd + (more?.costUsd ?? 0)),
    tokens: so.tokens + (more?.tokens ?? 0),
    ...(costUnknown === undefined ? {} : { costUnknown }),
  };
}

/** An agent program knows what it used better than the model that it asked; where it does not say what it cost, nobody does. */
export function usedBy(cli: CliFacts | undefined, contract: CompletionContract | undefined): Partial<ResourceUsage> {
  const { costUsd, tokens } = { ...pickAmounts(contract), ...pickAmounts(cli) };
  return {
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cli !== undefined && costUsd === undefined ? { costUnknown: true as const } : {}),
  };
}

type Amounts = Partial<Pick<ResourceUsage, 'costUsd' | 'tokens'>>;

const pickAmounts = ({ costUsd, tokens }: Amounts = {}): Amounts => ({
  ...(costUsd === undefined ? {} : { costUsd }),
  ...(tokens === undefined ? {} : { tokens }),
});
