/** A billionth of a dollar: what adding up fractions invents is below it. */
const grain = 1e9;

/** An amount without what binary fractions add to it. */
export const roundUsd = (usd: number): number => Math.round(usd * grain) / grain;
