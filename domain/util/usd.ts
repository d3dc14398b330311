/** A billionth of a dollar; errors of adding fractions are smaller. */
const usdPrecision = 1e9;

/** Rounds an amount, without the errors of binary fractions. */
export const roundUsd = (usd: number): number => Math.round(usd * usdPrecision) / usdPrecision;
