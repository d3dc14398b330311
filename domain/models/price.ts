import type { Usage } from '../model/agent.ts';
import type { Price } from '../model/models.ts';

/** USD that a call cost; nothing where nobody knows the price. */
export function priceOf({ input, output, cached }: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  const fromCache = Math.min(cached, input);
  const micro = (input - fromCache) * price.in + fromCache * (price.cached ?? price.in) + output * price.out;
  return Math.round(micro * 1e3) / 1e9;
}
