/** A billionth of a dollar; errors of adding fractions are smaller. */
const usdPrecision = 1e9;

/** Rounds an amount, without the errors of binary fractions. */
export const roundUsd = (usd: number): number => Math.round(usd * usdPrecision) / usdPrecision;

/** Two decimals; small sums keep two digits that say something. */
export const formatUsd = (usd: number): string => `${usd > 0 && usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2)} USD`;
