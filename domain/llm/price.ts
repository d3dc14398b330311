import type { ModelUse, Usage } from '../types/agent.ts';
import { reportsCost } from '../executors/output-names.ts';
import type { Model, Price } from '../types/llm.ts';
import { roundUsd } from '../util/usd.ts';

const million = 1_000_000;

/** Computes the cost of a call in USD. A model without a price counts as free; a budget of `costUsd` requires prices. */
export function computeCost({ input, output, cached }: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  // A provider may count cached tokens beside the input instead of in it.
  const cheaper = Math.min(cached, input);
  const { in: perInput, out: perOutput, cached: perCached = perInput } = price;
  return roundUsd(((input - cheaper) * perInput + cheaper * perCached + output * perOutput) / million);
}

/** The cost of a reply: as its program reports it, else by the price. */
export const costOfReply = ({ usage, costUsd }: { usage: Usage; costUsd?: number }, price: Price | undefined): number =>
  costUsd ?? computeCost(usage, price);

/** The cost of a model's requests is known: by a price, or since its agent program reports it. */
export const hasKnownCost = ({ price, provider: { program } }: Pick<Model, 'price' | 'provider'>): boolean =>
  price !== undefined || (program !== undefined && reportsCost[program]);

/** A price of zero is not told apart from a missing one: tokens that cost nothing count as of unknown cost. */
export const isUnpriced = ({ tokens, costUsd }: Pick<ModelUse, 'tokens' | 'costUsd'>): boolean =>
  tokens > 0 && costUsd === 0;
