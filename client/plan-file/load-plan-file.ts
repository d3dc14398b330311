import { resolve } from 'node:path';
import { limits } from '../../domain/limits.ts';
import { parsePlan } from '../../domain/parse-plan.ts';
import type { PlanProblem } from '../../domain/plan-problem.ts';
import { planError } from '../../domain/plan-problem.ts';
import type { Plan } from '../../domain/plan-schema.ts';
import { topologyCodes } from '../../domain/topology.ts';
import type { Converted } from './convert-yaml.ts';
import { convertYaml } from './convert-yaml.ts';
import { locateProblem } from './locate-problem.ts';
import type { ParsedYaml } from './parse-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import type { PlanSource } from './plan-source.ts';
import type { ReadOptions } from './read-plan-source.ts';
import { readPlanSource, tooLarge } from './read-plan-source.ts';

export interface LoadedPlan {
  /** The input of the workflow: what the file says, with an absolute workspace. */
  raw: Record<string, unknown>;
  plan: Plan;
}

/** Reads a plan file (`-` is stdin), YAML or JSON. Errors are `HeddleError`s that name file, line and column. */
export async function loadPlanFile(path: string, options: ReadOptions): Promise<LoadedPlan> {
  const source = await readPlanSource(path, options);
  const yaml = parseYaml(source);
  const converted = convertYaml(source, yaml);
  const parsed = parsePlan(converted.value);
  if (!parsed.ok) throw planError(locateAll(parsed.problems, source, yaml, converted), source.name);
  // Relative to the current folder, wherever the file is; another host would not know that folder.
  const workspace = resolve(options.cwd, parsed.plan.workspace ?? '.');
  const raw = { ...(typeof converted.value === 'object' ? converted.value : {}), workspace };
  if (Buffer.byteLength(JSON.stringify(raw)) > limits.maxPlanBytes) throw tooLarge(source.name);
  return { raw, plan: { ...parsed.plan, workspace } };
}

/** In the order of the text, then the problems of the graph in theirs. */
function locateAll(
  problems: readonly PlanProblem[],
  source: PlanSource,
  yaml: ParsedYaml,
  converted: Converted,
): PlanProblem[] {
  const located = problems.map((problem) =>
    locateProblem(problem, { name: source.name, converted, positionOf: yaml.positionOf }),
  );
  const ofGraph = located.filter(({ code }) => topologyCodes.includes(code));
  const others = located.filter(({ code }) => !topologyCodes.includes(code));
  return [...others.sort((a, b) => a.offset - b.offset), ...ofGraph];
}
