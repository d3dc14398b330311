import { describe, expect, test } from 'vitest';
import type { Run, Side } from '../../bench/steps/measure-runs.ts';
import { snapshotCases } from '../../bench/snapshots/measure.ts';
import type { Shape } from '../../bench/plans.ts';
import { full } from '../../bench/scope.ts';
import { median, percentile } from '../../bench/statistics.ts';
import { takesPart } from '../../bench/steps/measure-rounds.ts';
import { growth, perSubtask } from '../../bench/steps/summarise.ts';
import { snapshotSection } from '../../bench/snapshots/report.ts';
import { stepSection } from '../../bench/steps/report.ts';
import { turnSection } from '../../bench/turns/report.ts';
import { contextSection } from '../../bench/context/report.ts';

const run = (side: Side, shape: Shape, count: number, round: number, ms: number): Run => ({
  ...{ side, shape, kind: 'noop', count, round, ms },
  ...{ events: count * 12, bytes: count * 2_000, workerCpu: count, serverCpu: undefined },
});

/** A fixed cost and a cost per subtask; in the third round the machine was busy, and stalled while Heddle ran. */
function measured(cost: Record<Side, { fixed: number; each: number }>): Run[] {
  return (['chain', 'wide'] as const).flatMap((shape) =>
    full.steps.flatMap(({ count }) =>
      (['bare', 'heddle'] as const).flatMap((side) =>
        [1, 2, 3].map((round) => {
          const busy = round < 3 ? 1 : side === 'bare' ? 4 : 6;
          return run(side, shape, count, round, (cost[side].fixed + cost[side].each * count) * busy);
        }),
      ),
    ),
  );
}

describe('the numbers of the bench', () => {
  test('takes the middle, and lies between two values where there is none', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(percentile([0, 10, 20, 30, 40], 0.95)).toBeCloseTo(38);
    expect(median([])).toBeNaN();
  });

  test('compares both sides of a round with each other, and is not moved by one round that was busy', () => {
    const runs = measured({ bare: { fixed: 100, each: 20 }, heddle: { fixed: 200, each: 22 } });
    const { bare, heddle, ratio, range, rounds } = perSubtask(runs, { shape: 'chain', count: 100 }, 'ms');
    expect([bare, heddle, ratio, ...range].map((value) => Number(value.toFixed(3)))).toEqual([
      21, 24, 1.143, 1.143, 1.714,
    ]);
    expect(rounds).toBe(3);
  });

  test('compares sizes by the rounds that had both', () => {
    const runs = measured({ bare: { fixed: 100, each: 20 }, heddle: { fixed: 0, each: 22 } });
    const without = runs.filter(({ count, round }) => count !== 500 || round !== 2);
    expect(growth(without, { side: 'bare', shape: 'wide', from: 100, to: 500 }, 'ms')).toEqual({
      ratio: 20.2 / 21,
      rounds: 2,
    });
  });

  test('spreads the rounds of a size evenly, from the first on', () => {
    const of = (rounds: number): number[] =>
      Array.from({ length: 9 }, (_, index) => index + 1).filter((round) => takesPart({ count: 1, rounds }, round, 9));
    expect(of(9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(of(3)).toEqual([1, 4, 7]);
    expect(of(1)).toEqual([1]);
    expect(of(4)).toHaveLength(4);
  });

  test('says whether the aims are met, and leaves out what the system does not tell', () => {
    const taken = snapshotCases.flatMap((about) =>
      [1, 2, 3].flatMap((round) => [
        { side: 'git status' as const, about, round, ms: 100 * round },
        { side: 'snapshot' as const, about, round, ms: (about === 'few changes' ? 120 : 160) * round },
      ]),
    );
    const steps = (each: number, rounds = 3): string => {
      const runs = measured({ bare: { fixed: 0, each: 20 }, heddle: { fixed: 0, each } });
      const noop = runs.filter(({ round }) => round <= rounds);
      return stepSection({ scope: full, noop, program: [], reactions: [], version: '1', minutes: 1, load: 0 });
    };
    expect(steps(23)).toMatch(/\| chain \| 100 \| time, ms \| 20\.0 \| 23\.0 \| 1\.15 \| 1\.15 to 1\.73 \(3\) \| met/);
    expect(steps(27)).toMatch(/\| wide \| 500 \| time, ms \| 20\.0 \| 27\.0 \| 1\.35 \|[^|]*\| missed/);
    expect(steps(27)).toMatch(/\| wide \| 10 \| time, ms \| 20\.0 \| 27\.0 \| 1\.35 \|[^|]*\| {2}\|/);
    expect(steps(23, 2)).toMatch(/\| 1\.15 \|[^|]*\| too few rounds/);
    expect(steps(23)).toMatch(/\| chain \| 100 \| worker CPU, ms \| 1\.0 \| 1\.0 \| 1\.00 \|[^|]*\| met/);
    expect(steps(23)).toMatch(/\| chain \| worker CPU, ms \| 1\.00 \| 1\.00 \| met/);
    expect(steps(23)).toMatch(/\| server CPU, ms \| n\/a/);
    const snapshots = snapshotSection({ files: 20_000, load: 0, first: 5_000, runs: taken });
    expect(snapshots).toMatch(/\| few changes \| 200 \| 240 \| 1\.20 \| 1\.20 to 1\.20 \| met/);
    expect(snapshots).toMatch(/\| nothing changed \| 200 \| 320 \| 1\.60 \|[^|]*\| missed/);
  });

  test('tells what a durable turn adds, beside one durable write, and whether turns grow', () => {
    const constant = (ms: number): number[] => Array.from({ length: 200 }, () => ms);
    const round = { memory: constant(2), durable: constant(3), replaced: constant(2), appended: constant(0.5) };
    const section = (rounds: (typeof round)[]): string =>
      turnSection({ turns: 200, load: 0, rounds, tokens: { system: 170, schemas: 800 } });
    expect(section([round, round, round])).toMatch(/one durable write \| 0\.50 \| 0\.50 to 0\.50 \| 1\.3 \| met/);
    expect(section([round])).toContain('too few rounds');
    const slow = { ...round, durable: constant(3).map((ms, turn) => ms + turn / 20) };
    const slower = section([slow, slow, slow]);
    expect(slower).toMatch(/one durable write \| 2\.99 \|[^|]*\| 1\.3 \| missed/);
    expect(slower).toMatch(/on the disk \| 3\.14 \|[^|]*\| 1\.2 \| missed/);
  });
});

test('compares a long conversation that is compacted with a conversation that is not', () => {
  const course = {
    ...{ requests: 200, sent: 40_000_000, cached: 39_000_000, largest: 400_000, compactions: 0, cpu: 2_000 },
    summaries: { calls: 0, input: 0, output: 0 },
  };
  const short = { ...course, sent: 4_000_000, cached: 3_500_000, compactions: 50, cpu: 2_400 };
  const told = { ...short, summaries: { calls: 6, input: 47_000, output: 13_000 } };
  const section = contextSection({
    ...{ turns: 200, load: 1, whole: course },
    compacted: [{ context: 32_000, use: short }],
    summarised: [{ context: 32_000, use: told }],
  });
  expect(section).toContain('| 32 k, `tiered` | 4000 | 0.10 | 500 | 400 | 50 | none | 12.00 |');
  expect(section).toContain('| 32 k, with a model | 4000 | 0.10 | 500 | 400 | 50 | 6, 47, 13.0 | 12.00 |');
  expect(section).toContain('Compaction adds to a turn: 2.00 ms of CPU in 32 k.');
  expect(section).toContain('Cost of summaries by a model, in tokens of all requests: 1.5 % in 32 k.');
});
