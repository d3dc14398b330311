import type { Run, Side } from './measure-runs.ts';
import type { Shape } from '../plans.ts';
import { slopeFrom } from '../scope.ts';
import { median, slope } from '../statistics.ts';

export const metrics = ['ms', 'workerCpu', 'serverCpu', 'events', 'bytes'] as const;
export type Metric = (typeof metrics)[number];

export interface Comparison {
  bare: number;
  heddle: number;
  ratio: number;
}

export interface SlopeComparison extends Comparison {
  /** Smallest and largest ratio of single rounds. */
  range: [number, number] | undefined;
}

const compare = (bare: number, heddle: number): Comparison => ({ bare, heddle, ratio: heddle / bare });

/** Medians of the whole cost divided by the count. */
export function perSubtask(runs: readonly Run[], shape: Shape, count: number, metric: Metric): Comparison {
  const of = (side: Side): number => typical(runs, side, shape, count, metric) / count;
  return compare(of('bare'), of('heddle'));
}

/** What one subtask more costs, without what every task pays once. */
export function slopes(runs: readonly Run[], shape: Shape, metric: Metric): SlopeComparison {
  const counts = [...new Set(runs.map(({ count }) => count))].filter((count) => count >= slopeFrom);
  const of = (some: readonly Run[], side: Side): number =>
    slope(counts.map((count) => ({ x: count, y: typical(some, side, shape, count, metric) })));
  const rounds = [...new Set(runs.map(({ round }) => round))];
  const ratios = rounds.map((round) => {
    const some = runs.filter((run) => run.round === round);
    return of(some, 'heddle') / of(some, 'bare');
  });
  return {
    ...compare(of(runs, 'bare'), of(runs, 'heddle')),
    range: rounds.length < 2 ? undefined : [Math.min(...ratios), Math.max(...ratios)],
  };
}

function typical(runs: readonly Run[], side: Side, shape: Shape, count: number, metric: Metric): number {
  const fitting = runs.filter((run) => run.side === side && run.shape === shape && run.count === count);
  return median(fitting.map((run) => run[metric] ?? NaN));
}
