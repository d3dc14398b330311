// The cost of a call is exact to the billionth of a dollar, without errors of binary fractions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Usage } from '../../../domain/types/agent.ts';
import type { Price } from '../../../domain/types/llm.ts';
import { computeCost } from '../../../domain/llm/price.ts';

const usage = (given: Partial<Usage>): Usage => ({ input: 0, output: 0, cached: 0, reasoning: 0, ...given });

const cases: [what: string, used: Partial<Usage>, price: Price | undefined, usd: number][] = [
  ['nothing for nothing', {}, { in: 3, out: 15 }, 0],
  ['input and output each at its price', { input: 1_000_000, output: 200_000 }, { in: 3, out: 15 }, 6],
  ['cached input at its own price', { input: 1_000, cached: 400 }, { in: 1, out: 5, cached: 0.1 }, 0.00064],
  ['cached input as input where it has no price', { input: 1_000, cached: 400 }, { in: 1, out: 5 }, 0.001],
  ['reasoning once, as a part of the output', { output: 100, reasoning: 80 }, { in: 1, out: 5 }, 0.0005],
  ['without dust of fractions', { input: 3, output: 1 }, { in: 0.1, out: 0.3 }, 0.000_000_6],
  ['never below nothing when more is cached than read', { input: 10, cached: 50 }, { in: 1, out: 1, cached: 0 }, 0],
  ['nothing that is known without a price', { input: 1_000_000 }, undefined, 0],
];

test.each(cases)('the cost of a call is %s', (_, used, price, usd) => {
  expect(computeCost(usage(used), price)).toBe(usd);
});

test('the cost of a call is the exact sum, rounded to the billionth', () => {
  const tokens = fc.nat({ max: 2_000_000 });
  // Prices in thousandths of a dollar: what is charged is then a whole number of billionths.
  const mills = fc.nat({ max: 100_000 });
  fc.assert(
    fc.property(tokens, tokens, tokens, mills, mills, mills, (fresh, cached, output, a, b, c) => {
      const used = usage({ input: fresh + cached, cached, output });
      const nano = BigInt(fresh) * BigInt(a) + BigInt(cached) * BigInt(c) + BigInt(output) * BigInt(b);
      const cost = computeCost(used, { in: a / 1_000, out: b / 1_000, cached: c / 1_000 });
      expect(BigInt(Math.round(cost * 1e9))).toBe(nano);
    }),
  );
});
