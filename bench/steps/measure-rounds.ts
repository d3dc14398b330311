import { measureRun, type Run, sides } from './measure-runs.ts';
import { type Kind, kinds, shapes } from '../plans.ts';
import type { Rig } from '../rig.ts';

const warmUpCount = 30;

interface Rounds {
  kind: Kind;
  counts: readonly number[];
  rounds: number;
  /** No round begins that would end after this, by the length of the one before. */
  budget: number;
  onRun: (run: Run) => void;
}

/** Both sides in turn, so that whatever else the machine does falls on both; who goes first changes each time. */
export async function measureRounds(rig: Rig, { kind, counts, rounds, budget, onRun }: Rounds): Promise<Run[]> {
  const runs: Run[] = [];
  const begun = performance.now();
  let first = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const spent = performance.now() - begun;
    if (round > 1 && spent + spent / (round - 1) > budget) break;
    for (const shape of shapes) {
      for (const count of counts) {
        first += 1;
        for (const side of (first + round) % 2 === 0 ? sides : [...sides].reverse()) {
          const run = await measureRun(rig, { side, shape, kind, count, round });
          runs.push(run);
          onRun(run);
        }
      }
    }
  }
  return runs;
}

/** The first workflows of a process pay for its compiler. */
export async function warmUp(rig: Rig): Promise<void> {
  for (const kind of kinds) {
    for (const shape of shapes) {
      for (const side of sides) await measureRun(rig, { side, shape, kind, count: warmUpCount, round: 0 });
    }
  }
}
