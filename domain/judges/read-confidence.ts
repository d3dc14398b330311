/** Words for levels of confidence. */
const levels: Readonly<Record<string, number>> = {
  certain: 1,
  'very high': 0.95,
  high: 0.9,
  strong: 0.9,
  medium: 0.6,
  moderate: 0.6,
  mid: 0.6,
  low: 0.3,
  weak: 0.3,
  'very low': 0.1,
  none: 0,
};

const ratio = /^(\d{1,4}(?:\.\d{1,6})?) ?(?:\/|out of|of) ?(\d{1,4})$/;
const number = /^(\d{0,4}(?:\.\d{1,9})?) ?(%|percent)?$/;

/** Reads a confidence, 0 to 1: `0.85`, `85`, `85%`, `"85 %"`, `"8.5/10"`, `"high"`. Undefined where the value has another form. */
export function readConfidence(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value, false);
  if (typeof value !== 'string') return undefined;
  const text = value
    .slice(0, longest)
    .trim()
    .toLowerCase()
    .replace(/^[~≈*_ ]+|[*_. ]+$/g, '')
    .replace(/(?<=\d),(?=\d)/, '.');
  const level = levels[text.replace(/[_-]/g, ' ')];
  if (level !== undefined) return level;
  const [, part, whole] = ratio.exec(text) ?? [];
  if (part !== undefined && whole !== undefined) return share(Number(part) / Number(whole));
  const [, digits = '', percent] = number.exec(text) ?? [];
  return digits === '' ? undefined : fromNumber(Number(digits), percent !== undefined);
}

const longest = 40;

/** From 2 on a number is a percentage; a number slightly above 1 counts as 1. */
const fromNumber = (value: number, isPercent: boolean): number | undefined => {
  if (!isPercent && value > 1 && value < 2) return 1;
  return share(isPercent || value > 1 ? value / 100 : value);
};

const share = (value: number): number | undefined =>
  Number.isFinite(value) && value >= 0 && value <= 1 ? value : undefined;
