export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Linear between the two nearest values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** The slope of the line of least squares: what one more costs, without what all have in common. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const above = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const below = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return above / below;
}
