import type { Run, Side } from './measure-runs.ts';
import type { Shape } from '../plans.ts';
import { median } from '../statistics.ts';

type Metric = 'ms' | 'workerCpu' | 'serverCpu' | 'events' | 'bytes';

/** Runs of one shape and size. */
interface Case {
  shape: Shape;
  count: number;
}

interface Comparison {
  /** Medians of the rounds. */
  bare: number;
  heddle: number;
  /** The median of the ratios of single rounds: both sides of a round ran one after the other, on the same machine. */
  ratio: number;
  /** Smallest and largest ratio of single rounds. */
  range: [number, number];
  rounds: number;
}

/** The whole cost divided by the count. */
export function perSubtask(runs: readonly Run[], about: Case, metric: Metric): Comparison {
  const pairs = roundsOf(runs).flatMap((round) => {
    const bare = costOf(runs, { ...about, side: 'bare', round }, metric);
    const heddle = costOf(runs, { ...about, side: 'heddle', round }, metric);
    return bare === undefined || heddle === undefined ? [] : [{ bare, heddle, ratio: heddle / bare }];
  });
  const ratios = pairs.map(({ ratio }) => ratio);
  return {
    bare: median(pairs.map(({ bare }) => bare)),
    heddle: median(pairs.map(({ heddle }) => heddle)),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
    rounds: pairs.length,
  };
}

/** How much dearer a subtask of the larger plan is, by the rounds that had both sizes. */
export function growth(
  runs: readonly Run[],
  { side, shape, from, to }: { side: Side; shape: Shape; from: number; to: number },
  metric: Metric,
): { ratio: number; rounds: number } {
  const ratios = roundsOf(runs).flatMap((round) => {
    const small = costOf(runs, { side, shape, count: from, round }, metric);
    const large = costOf(runs, { side, shape, count: to, round }, metric);
    return small === undefined || large === undefined ? [] : [large / small];
  });
  return { ratio: median(ratios), rounds: ratios.length };
}

/** Per subtask; undefined where there was no such run, NaN where the system does not say. */
function costOf(
  runs: readonly Run[],
  { side, shape, count, round }: Case & { side: Side; round: number },
  metric: Metric,
): number | undefined {
  const run = runs.find(
    (one) => one.side === side && one.shape === shape && one.count === count && one.round === round,
  );
  return run && (run[metric] ?? NaN) / count;
}

const roundsOf = (runs: readonly Run[]): number[] => [...new Set(runs.map(({ round }) => round))];
