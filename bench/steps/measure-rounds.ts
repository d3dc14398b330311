import { measureRun, type Run, sides } from './measure-runs.ts';
import { type Kind, kinds, shapes } from '../plans.ts';
import type { Rig } from '../rig.ts';
import type { Size } from '../scope.ts';

const warmUpCount = 60;

interface Rounds {
  kind: Kind;
  sizes: readonly Size[];
  /** No round begins that would end after this, by the length of those before. */
  budget: number;
  onRun: (run: Run) => void;
}

/** Both sides in turn, so that whatever else the machine does falls on both; who goes first changes with each round. */
export async function measureRounds(rig: Rig, { kind, sizes, budget, onRun }: Rounds): Promise<Run[]> {
  const runs: Run[] = [];
  const begun = performance.now();
  const most = Math.max(...sizes.map(({ rounds }) => rounds));
  for (let round = 1; round <= most; round += 1) {
    const spent = performance.now() - begun;
    if (round > 1 && spent + spent / (round - 1) > budget) break;
    for (const shape of shapes) {
      for (const { count } of sizes.filter((size) => takesPart(size, round, most))) {
        for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
          const run = await measureRun(rig, { side, shape, kind, count, round });
          runs.push(run);
          onRun(run);
        }
      }
    }
  }
  return runs;
}

/** Its rounds are spread evenly, the first one is always among them: what the machine does meanwhile, all sizes see. */
export function takesPart({ rounds }: Size, round: number, most: number): boolean {
  const begunBy = (rank: number): number => Math.floor((rank * rounds) / most);
  return begunBy(round - 1) > begunBy(round - 2);
}

/** The first workflows of a process pay for its compiler. */
export async function warmUp(rig: Rig): Promise<void> {
  for (const kind of kinds) {
    for (const shape of shapes) {
      for (const side of sides) await measureRun(rig, { side, shape, kind, count: warmUpCount, round: 0 });
    }
  }
}
