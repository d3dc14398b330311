import { resolve } from 'node:path';
import { namesProcess, parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planError, quoteName } from '../../domain/input/problem.ts';
import { isTable } from '../../domain/input/is-table.ts';
import { valueAt } from '../../domain/input/problem.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import type { ProcessesPort } from '../ports/processes.ts';
import type { LoadFileOptions } from './load-plan-file.ts';
import { loadPlanFile } from './load-plan-file.ts';
import { isFile, isGoal, loadGoal } from './load-goal.ts';
import { loadKnownNames, type LoadedPlan } from './load-plan-text.ts';

/** The process of a command line, and the values of its inputs as `KEY=VALUE`. */
export interface ProcessFlags {
  process?: string | undefined;
  set?: readonly string[] | undefined;
}

interface ProcessLoading extends LoadFileOptions, ProcessFlags {
  readProcessFile: ProcessesPort['readProcessFile'];
}

/**
 * Loads what a command is given: a plan file, a goal, or nothing where a process has its goal. A process of a path on the command line is sent
 * with the task: naming the file is the user's word.
 */
export async function loadWithProcess(given: string | undefined, options: ProcessLoading): Promise<LoadedPlan> {
  const { process, set, readProcessFile, ...reading } = options;
  const { cwd } = reading;
  if (process === undefined && (set ?? []).length === 0) {
    if (given === undefined) throw nothingGiven();
    return isGoal(given, cwd) ? loadGoal(given, reading) : loadPlanFile(given, reading);
  }
  const choice = process === undefined ? {} : { process: await chooseProcess(process, { cwd, readProcessFile }) };
  const values = readValues(set ?? []);
  const change = (value: unknown): unknown => addProcess(value, { ...choice, inputs: values });
  if (given !== undefined && isFile(given, cwd)) return loadPlanFile(given, { ...reading, change });
  if (process === undefined && given !== undefined && !isGoal(given, cwd))
    return loadPlanFile(given, { ...reading, change });
  return loadChoice(change({ ...(given === undefined ? {} : { goal: given.trim() }) }), reading);
}

function addProcess(
  value: unknown,
  { inputs, ...choice }: { process?: unknown; inputs: Record<string, string> },
): unknown {
  if (!isTable(value)) return value;
  const before = valueAt(value, ['inputs']);
  const both = { ...(isTable(before) ? before : {}), ...inputs };
  return { ...value, ...choice, ...(Object.keys(both).length === 0 ? {} : { inputs: both }) };
}

/** A goal, or nothing, with a process. */
async function loadChoice(value: unknown, options: Omit<LoadFileOptions, 'change'>): Promise<LoadedPlan> {
  const sent = { ...(isTable(value) ? value : {}), workspace: resolve(options.cwd) };
  const parsed = parsePlan(sent, await loadKnownNames(sent, options));
  if (!parsed.ok) throw planError(parsed.problems, 'the command line');
  const raw = sent as PlanInput & Record<string, unknown>;
  checkPlanSize(raw, 'the command line');
  return { raw, plan: parsed.plan };
}

/** The name of a process, or its file: a path has a separator or an extension. */
export const isProcessPath = (given: string): boolean => /[/\\]/.test(given) || /\.(ya?ml|json)$/i.test(given);

async function chooseProcess(
  given: string,
  { cwd, readProcessFile }: Pick<ProcessLoading, 'cwd' | 'readProcessFile'>,
): Promise<string | { name: string; definition: Record<string, unknown> }> {
  return isProcessPath(given) ? readProcessFile(resolve(cwd, given)) : given;
}

/** Values of inputs. A later one replaces an earlier one of the same name. */
function readValues(set: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of set) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new HeddleError({
        code: 'USAGE',
        message: `--set ${quoteName(pair)} is no KEY=VALUE`,
        where: '--set',
        hint: 'Write the name of an input, `=` and its value, such as --set version=1.2.',
      });
    Object.defineProperty(values, pair.slice(0, at), {
      value: pair.slice(at + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return values;
}

const nothingGiven = (): HeddleError =>
  new HeddleError({
    code: 'USAGE',
    message: 'There is no plan, no goal and no process to run',
    hint: 'Give a plan file, a goal in quotes, or --process NAME.',
  });

/** Decides if a loaded plan follows a process. */
export const followsProcess = ({ raw }: LoadedPlan): boolean => namesProcess(raw);
