import { listNeeds, worksInWorkspace } from '../../domain/executors/kinds.ts';
import { isOfPreset } from '../../domain/executors/presets.ts';
import { HeddleError, type Problem } from '../../domain/errors/heddle-error.ts';
import type { SandboxSetting } from '../../domain/types/basic/gate.ts';
import type { Model } from '../../domain/types/llm.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { findProgram } from '../programs/find-program.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import type { PublicEnvironment, Secrets } from '../redact/secrets.ts';
import { gitVersion } from '../workspace/git/git-version.ts';
import { checkModelNeeds, type ModelSupply } from './check-model-needs.ts';
import { findSandboxProblem } from './find-sandbox-problem.ts';
import { findScriptProblems } from './find-script-problems.ts';

/** The place where a task will run. */
interface PreflightLocation {
  workspace: string;
  secrets: Secrets;
  sandbox: SandboxSetting;
}

/** Everything that would stop the task later and can be seen now, all at once. Gives what is only worth a word. */
export async function preflight(
  subtasks: readonly Subtask[],
  place: PreflightLocation,
  supply: ModelSupply & { servers?: readonly Problem[] },
): Promise<{ warnings: string[] }> {
  const problems = new Map<string, Problem>();
  const looked = new Set<string>();
  const first = (name: string): boolean => !looked.has(name) && looked.add(name).size > 0;
  for (const { id, executor } of subtasks) {
    const { programs, variables, unpriced = [] } = listNeeds(executor);
    const ofPreset = executor.kind === 'command' && isOfPreset(executor);
    for (const { name, key } of programs) {
      const program = first(name) ? await find(name, place, ofPreset) : name;
      if (program === undefined) problems.set(name, programMissing(id, name, key));
    }
    if (supply.costLimited)
      for (const { name, key } of unpriced) problems.set(`cost of ${name}`, costUnknown(id, name, key));
    for (const { name, key } of variables) {
      if (place.secrets.value(name) === undefined) problems.set(`$${name}`, variableMissing(id, name, key));
    }
  }
  const models = checkModelNeeds(subtasks, { ...supply, secrets: place.secrets });
  refuse([
    ...problems.values(),
    ...models.problems,
    ...findCliProblems(models.reached, place),
    ...(await findScriptProblems(models.reached)),
    ...(await findSandboxProblem(subtasks, place.sandbox)),
    ...(supply.servers ?? []),
  ]);
  await checkIsolation(subtasks, place.secrets.environment);
  return { warnings: models.fallbacks };
}

/** An agent program is Heddle's to find: not in the workspace, nor in a folder that a project fills. */
const find = async (
  name: string,
  { secrets: { environment }, workspace }: PreflightLocation,
  ofPreset: boolean,
): Promise<string | undefined> =>
  ofPreset
    ? findOwnProgram(name, { path: environment.PATH, workspace })
    : findProgram(name, { path: environment.PATH, cwd: workspace });

const programMissing = (id: string, program: string, key: string): Problem => ({
  code: 'PROGRAM_NOT_FOUND',
  message: `The program ${program} of ${id} was not found or is not executable`,
  where: `subtask ${id}, executor.${key}`,
  hint: 'Install it, or give its path relative to the workspace.',
});

/** The agent programs that models are: looked for as presets are. */
const findCliProblems = (reached: ReadonlySet<Model>, place: PreflightLocation): Problem[] =>
  [...reached].flatMap(({ name, provider }) => {
    const { program } = provider;
    const path = { path: place.secrets.environment.PATH, workspace: place.workspace };
    if (program === undefined || findOwnProgram(program, path) !== undefined) return [];
    return [
      {
        code: 'PROGRAM_NOT_FOUND',
        message: `The program ${program}, which is the model ${name}, was not found`,
        where: `providers.${provider.name}.program`,
        hint: `Install ${program} where the worker runs, or use another model.`,
      },
    ];
  });

const variableMissing = (id: string, name: string, key: string): Problem => ({
  code: 'VARIABLE_NOT_SET',
  message: `The variable ${name} that ${id} needs is not set`,
  where: `subtask ${id}, executor.${key}`,
  hint: `Set ${name} and run again; a task of another client or host needs it in the environment of its worker.`,
});

const costUnknown = (id: string, program: string, key: string): Problem => ({
  code: 'EXECUTOR_COST_UNKNOWN',
  message: `The program ${program}, which ${id} runs, does not report its cost: a budget of \`costUsd\` could not be kept`,
  where: `subtask ${id}, executor.${key}`,
  hint: 'Limit `tokens`, which it reports, instead of `costUsd`, or use an executor that reports its cost.',
});

function refuse(problems: readonly Problem[]): void {
  const [first, ...more] = problems;
  if (first === undefined) return;
  if (more.length === 0) throw new HeddleError(first);
  throw new HeddleError(
    {
      code: 'PREFLIGHT_FAILED',
      message: `The task cannot run here: ${problems.map(({ message }) => message).join('; ')}`,
      hint: 'Correct all of them, then run again.',
    },
    problems,
  );
}

/** A copy of the workspace needs git to be made and merged, and an executor that works on its files. */
async function checkIsolation(subtasks: readonly Subtask[], env: PublicEnvironment): Promise<void> {
  const isolated = subtasks.filter(({ isolation }) => isolation === 'worktree');
  const foreign = isolated.find(({ executor }) => !worksInWorkspace(executor));
  if (foreign !== undefined) {
    throw new HeddleError({
      code: 'PLAN_NOT_SUPPORTED',
      message: `\`isolation: worktree\` of ${foreign.id} is for programs; an activity works wherever its worker is.`,
      where: `subtask ${foreign.id}, isolation`,
      hint: 'Remove `isolation`, or use `kind: command`.',
    });
  }
  const [first] = isolated;
  if (first === undefined || (await gitVersion(env['PATH'])) !== undefined) return;
  throw new HeddleError({
    code: 'PROGRAM_NOT_FOUND',
    message: `git, which \`isolation: worktree\` of ${first.id} needs, was not found`,
    where: `subtask ${first.id}, isolation`,
    hint: 'Install git where the worker runs, or remove `isolation`.',
  });
}
