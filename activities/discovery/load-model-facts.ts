import type { ModelFacts } from '../../domain/llm/built-in-models.ts';

/** A price of the list: one number, or one for small requests and others from a size on. */
type ListedPrice = number | { base: number; tiers: { start: number }[] } | undefined;

/**
 * Loads the list of prices and looks models of one provider up in it. The list is large, so only commands that need it pay for it. A
 * model that it does not have has no price.
 */
export async function loadModelFacts(providerId: string): Promise<(id: string) => ModelFacts> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  return (id) => {
    const listed = calcPrice({}, id, { providerId });
    if (listed === null) return {};
    const { input_mtok: input, output_mtok: output, cache_read_mtok: cached } = listed.model_price;
    const context = smallestOf([listed.model.context_window, ...[input, output, cached].map(startOfTiers)]);
    const [perInput, perOutput, perCached] = [input, output, cached].map(basePrice);
    return {
      ...(context === undefined ? {} : { context }),
      ...(perInput === undefined || perOutput === undefined
        ? {}
        : { price: { in: perInput, out: perOutput, ...(perCached === undefined ? {} : { cached: perCached }) } }),
    };
  };
}

const basePrice = (price: ListedPrice): number | undefined => (typeof price === 'object' ? price.base : price);

/** A larger request costs more per token: the window ends there, so that the price is true for every request. */
const startOfTiers = (price: ListedPrice): number | undefined =>
  typeof price === 'object' ? smallestOf(price.tiers.map(({ start }) => start)) : undefined;

const smallestOf = (values: readonly (number | undefined)[]): number | undefined => {
  const numbers = values.filter((value) => value !== undefined);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
};
