import type { PlanPath, PlanProblem } from './problem.ts';
import { formatPath } from './problem.ts';
import type { Converted } from './convert-yaml.ts';
import type { Position } from './file-text.ts';
import { formatPosition } from './plan-source.ts';

export interface LocatedProblem extends PlanProblem {
  offset: number;
}

/** Locates a problem at its unknown key or its value, or at the map around it when there is neither. */
export function locateProblem(
  problem: PlanProblem,
  options: { name: string; converted: Converted; positionOf: (offset: number) => Position },
): LocatedProblem {
  const { name, converted, positionOf } = options;
  const offset = findOffset(converted, problem.path, problem.code.endsWith('_UNKNOWN_KEY'));
  const where = `${formatPosition(name, positionOf(offset))} (${formatPath(problem.path)})`;
  return { ...problem, where, offset };
}

function findOffset({ value, locations, start }: Converted, path: PlanPath, ofKey: boolean): number {
  let here: unknown = value;
  let offset = start;
  for (const [depth, part] of path.entries()) {
    if (typeof here !== 'object' || here === null) break;
    const location = locations.get(here)?.get(part);
    if (location === undefined) break;
    offset = ofKey && depth === path.length - 1 ? location.key : location.value;
    here = Reflect.get(here, part);
  }
  return offset;
}

/** Locates problems and sorts them into the order of the text; those that `isLast` names come after all others, in their own order. */
export function locateProblems(
  problems: readonly PlanProblem[],
  options: Parameters<typeof locateProblem>[1],
  isLast: (problem: PlanProblem) => boolean,
): LocatedProblem[] {
  const located = problems.map((problem) => locateProblem(problem, options));
  const others = located.filter((problem) => !isLast(problem));
  return [...others.sort((a, b) => a.offset - b.offset), ...located.filter(isLast)];
}
