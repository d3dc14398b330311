import type { PlanPath, PlanProblem } from './problem.ts';
import { formatPath } from './problem.ts';
import type { Converted } from './convert-yaml.ts';
import type { Position } from './file-text.ts';
import { formatPosition } from './plan-source.ts';

export interface LocatedProblem extends PlanProblem {
  offset: number;
}

/** The problem with the line and column of its key (when that is unknown) or of its value; of the map around it when there is none. */
export function locateProblem(
  problem: PlanProblem,
  options: { name: string; converted: Converted; positionOf: (offset: number) => Position },
): LocatedProblem {
  const { name, converted, positionOf } = options;
  const offset = findOffset(converted, problem.path, problem.code === 'PLAN_UNKNOWN_KEY');
  const where = `${formatPosition(name, positionOf(offset))} (${formatPath(problem.path)})`;
  return { ...problem, where, offset };
}

function findOffset({ value, spots, start }: Converted, path: PlanPath, ofKey: boolean): number {
  let here: unknown = value;
  let offset = start;
  for (const [depth, part] of path.entries()) {
    if (typeof here !== 'object' || here === null) break;
    const spot = spots.get(here)?.get(part);
    if (spot === undefined) break;
    offset = ofKey && depth === path.length - 1 ? spot.key : spot.value;
    here = Reflect.get(here, part);
  }
  return offset;
}
