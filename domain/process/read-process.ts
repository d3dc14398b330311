import { convertYaml } from '../input/convert-yaml.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { isTable } from '../input/is-table.ts';
import { locateProblems } from '../input/locate-problem.ts';
import { parseYaml } from '../input/parse-yaml.ts';
import type { PlanText } from '../input/plan-source.ts';
import type { PlanProblem } from '../input/problem.ts';
import { quoteName } from '../input/problem.ts';
import { isGraphProblem, parseProcess, type Process } from './parse-process.ts';
import { processError, toProcessProblem } from './process-problem.ts';

export interface ReadOptions {
  /** The name that the process has to have: that of its file. */
  name?: string | undefined;
  /** Texts for prompts that lie beside the file. */
  prompts?: Readonly<Record<string, string>>;
}

/** Reads a process, YAML or JSON. Throws a `HeddleError` whose problems name the file, line and column. */
export function readProcess(source: PlanText, { name, prompts = {} }: ReadOptions = {}): Process {
  try {
    const yaml = parseYaml(source);
    const converted = convertYaml(source, yaml);
    const value = withPrompts(converted.value, prompts);
    const parsed = parseProcess(value);
    const problems = [...(parsed.ok ? [] : parsed.problems), ...findNameProblem(value, name)];
    if (parsed.ok && problems.length === 0) return parsed.process;
    const place = { name: source.name, converted, positionOf: yaml.positionOf };
    throw processError(locateProblems(problems, place, isGraphProblem).map(inProcess), source.name);
  } catch (error) {
    throw error instanceof HeddleError ? inProcessWords(error) : error;
  }
}

/** The whole of a process is no plan. */
const inProcess = (problem: PlanProblem): PlanProblem => ({
  ...problem,
  where: problem.where?.replace(/ \(plan\)$/, ' (process)') ?? '',
});

/** An error of a reader that plans and processes share. */
function inProcessWords(error: HeddleError): HeddleError {
  if (!error.code.startsWith('PLAN_')) return error;
  const { code, message, where, hint } = toProcessProblem({ ...error.toJSON(), code: error.code });
  const place = { ...(where === undefined ? {} : { where }), ...(hint === undefined ? {} : { hint }) };
  return new HeddleError({ code, message, ...place }, error.problems.map(toProcessProblem));
}

/** Checks a process that came as JSON, in the input of a task. */
export function readDefinition(value: unknown, name: string): Process {
  const parsed = parseProcess(value);
  const problems = [...(parsed.ok ? [] : parsed.problems), ...findNameProblem(value, name)];
  if (parsed.ok && problems.length === 0) return parsed.process;
  throw processError(
    problems.map((problem) => ({ ...problem, where: `process.definition.${problem.where ?? ''}` })),
    `process ${quoteName(name)}`,
  );
}

function findNameProblem(value: unknown, name: string | undefined): PlanProblem[] {
  const given = isTable(value) ? value['name'] : undefined;
  if (name === undefined || typeof given !== 'string' || given === name) return [];
  return [
    {
      code: 'PROCESS_WRONG_TYPE',
      message: `\`name\` should be ${quoteName(name)}, the name of the file; found ${quoteName(given)}.`,
      where: 'name',
      hint: 'Rename the file, or change `name`.',
      path: ['name'],
    },
  ];
}

/** Files of a package add to its prompts; a section that both give is given twice. */
function withPrompts(value: unknown, prompts: Readonly<Record<string, string>>): unknown {
  if (!isTable(value) || Object.keys(prompts).length === 0) return value;
  const own = isTable(value['prompts']) ? value['prompts'] : {};
  const twice = Object.keys(prompts).find((key) => Object.hasOwn(own, key));
  if (twice === undefined) return { ...value, prompts: { ...own, ...prompts } };
  throw new HeddleError({
    code: 'PROCESS_INVALID',
    message: `The prompt ${quoteName(twice)} is given in the process and in a file beside it.`,
    where: `prompts.${twice}`,
    hint: 'Remove one of the two.',
  });
}
