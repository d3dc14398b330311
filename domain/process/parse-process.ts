import { planLimits } from '../input/limits.ts';
import type { PlanProblem } from '../input/problem.ts';
import { checkTopology, topologyCodes } from '../plan/topology.ts';
import { explainIssues } from '../schema/issues.ts';
import { processSchema, type CheckedProcess, type ProcessDefinition } from '../schema/process-schema.ts';
import { isTable } from '../input/is-table.ts';
import { checkProcess } from './check-process.ts';
import { findTemplateProblems, listUnusedInputs } from './check-templates.ts';
import { ofPhases, toProcessProblem } from './process-problem.ts';

/** A process that can be used: as its file has it, and checked. */
export interface Process {
  /** JSON, as it was written. */
  definition: ProcessDefinition;
  checked: CheckedProcess;
  /** Sentences about what is probably a mistake, and stops nothing. */
  warnings: string[];
}

export type ParsedProcess = { ok: true; process: Process } | { ok: false; problems: PlanProblem[] };

/** Checks a process of unknown origin. Never throws; every problem is listed. */
export function parseProcess(value: unknown): ParsedProcess {
  const parsed = processSchema.safeParse(value);
  const { problems, misspelt } = explainIssues(parsed.error?.issues ?? [], value, 'process');
  const listed = [
    ...problems.map(toProcessProblem),
    ...findTemplateProblems(value),
    ...graphProblems(value, misspelt).map(ofPhases),
    ...(parsed.success ? checkProcess(parsed.data) : []),
  ];
  if (!parsed.success || listed.length > 0) return { ok: false, problems: listed.slice(0, planLimits.problems) };
  // The value was parsed: it has the form of the schema.
  const definition = value as ProcessDefinition;
  return { ok: true, process: { definition, checked: parsed.data, warnings: listUnusedInputs(definition) } };
}

/** The graph is checked even after other problems, so that a person sees every problem at once. */
function graphProblems(value: unknown, misspelt: ReadonlySet<string>): PlanProblem[] {
  const phases = isTable(value) ? value['phases'] : undefined;
  if (!Array.isArray(phases) || phases.length === 0 || phases.length > planLimits.process.phases) return [];
  if (misspelt.size > 0 && !phases.every(isTable)) return [];
  return checkTopology(phases.map(toTopology));
}

function toTopology(phase: unknown) {
  if (!isTable(phase)) return { id: undefined, dependsOn: [], synthesis: false };
  const { id, dependsOn, synthesis } = phase;
  return {
    id: toId(id),
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map(toId) : [],
    synthesis: synthesis === true,
  };
}

const toId = (value: unknown): string | undefined => (typeof value === 'string' ? value.normalize('NFC') : undefined);

/** Problems of the graph come after the others, as in a plan. */
export const isGraphProblem = ({ code }: Pick<PlanProblem, 'code'>): boolean =>
  topologyCodes.some((each) => each.replace('PLAN_', 'PROCESS_') === code);
