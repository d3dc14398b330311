import type { Usage } from '../types/agent.ts';
import type { Price } from '../types/llm.ts';
import { roundUsd } from '../util/usd.ts';

const million = 1_000_000;

/** What a call cost, in USD. Without a price nobody knows, which counts as nothing: a budget of `costUsd` asks for prices first. */
export function computeCost({ input, output, cached }: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  // A provider may count what was cached beside the input instead of in it.
  const cheaper = Math.min(cached, input);
  const { in: perInput, out: perOutput, cached: perCached = perInput } = price;
  return roundUsd(((input - cheaper) * perInput + cheaper * perCached + output * perOutput) / million);
}
