import { ApplicationFailure, Context } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { resolveTaskConfig } from '../config/resolve-task-config.ts';
import { namedVariables } from '../programs/base-environment.ts';
import { leasesFile, rootOfStore } from '../home-layout.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';
import { isTaskOpen } from './is-task-open.ts';
import { applyConfig } from '../../domain/config/apply-config.ts';
import { HeddleError, type Problem } from '../../domain/heddle-error.ts';
import type { ProjectMemory } from '../../domain/model/memory.ts';
import { workflowIdOf } from '../../domain/names.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { completePlan } from '../../domain/plan/complete-plan.ts';
import { findNameProblems } from '../../domain/plan/names.ts';
import { namesOf } from '../../domain/config/names-of.ts';
import { planError } from '../../domain/source/problem.ts';
import type { Reuse } from '../../domain/model/reuse.ts';
import type { Task } from '../../domain/model/task.ts';
import type { CommandExecutor } from '../../domain/model/subtask.ts';
import { takeLease } from './workspace-lease.ts';
import { gitVersion } from '../workspace/git/git-version.ts';

export interface PrepareParts {
  /** The name of this worker's host, and the queue of the activities that need its files. */
  host: string;
  hostQueue: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Which of our search attributes the server has with the right type. */
  searchAttributes: () => Promise<string[]>;
  readMemory: (project: string) => Promise<ProjectMemory>;
  /** The folder of the file store; leases and what runs leave their traces beside it. */
  storeFolder: string;
}

/** The activity `prepareTask`: completes the input of any starter, checks that it can run here, and freezes it. */
export function createPrepareTask(parts: PrepareParts) {
  return async function prepareTask(input: { taskId: string; plan: unknown }): Promise<Task> {
    try {
      return await prepare(parts, input);
    } catch (error) {
      throw error instanceof HeddleError ? asFailure(error) : error;
    }
  };
}

async function prepare(parts: PrepareParts, input: { taskId: string; plan: unknown }): Promise<Task> {
  const parsed = parsePlan(input.plan, 'later');
  if (!parsed.ok) throw planError(parsed.problems);
  const workspace = await findWorkspace(parsed.plan.workspace ?? process.cwd());
  const config = await resolveTaskConfig(parsed.plan.config, { env: parts.env, workspace });
  const unknown = findNameProblems(input.plan, namesOf(config));
  if (unknown.length > 0) throw planError(unknown);
  const applied = applyConfig(parsed.plan, config);
  const { shareWorkspace, ...plan } = completePlan(applied.plan, applied.defaults);
  const commands = plan.subtasks.flatMap(({ id, executor }) => (executor.kind === 'command' ? [{ id, executor }] : []));
  await preflight(parts, workspace, commands);
  await checkIsolation(parts, plan.subtasks);
  if (plan.reuse !== undefined) await checkReuse(plan.reuse, plan.subtasks, workspace);
  const workflowId = Context.current().info.workflowExecution?.workflowId ?? workflowIdOf(input.taskId);
  const lease = { taskId: input.taskId, workflowId, workspace, share: shareWorkspace };
  await takeLease(leasesFile(rootOfStore(parts.storeFolder)), lease, isTaskOpen);
  const project = plan.project ?? defaultProject(workspace);
  const { signatures, answers } = await parts.readMemory(project);
  return {
    ...plan,
    id: input.taskId,
    workspace,
    project,
    ...(signatures.length === 0 && answers.length === 0 ? {} : { memory: { signatures, answers } }),
    host: parts.host,
    hostQueue: parts.hostQueue,
    searchAttributes: await parts.searchAttributes(),
  };
}

async function findWorkspace(path: string): Promise<string> {
  try {
    const real = await realpath(resolve(path));
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
  throw new HeddleError({
    code: 'WORKSPACE_NOT_FOUND',
    message: `The workspace ${path} is no folder on this host`,
    where: 'workspace',
    hint: 'Name a folder that exists where the worker runs.',
  });
}

/** Memory is shared inside a project: the folder's name, and a hash so that two folders of one name stay apart. */
export function defaultProject(workspace: string): string {
  return `${basename(workspace)}-${createHash('sha256').update(workspace).digest('hex').slice(0, 8)}`;
}

/** Everything that would stop the task later and can be seen now, all at once. */
async function preflight(
  parts: PrepareParts,
  workspace: string,
  commands: { id: string; executor: CommandExecutor }[],
): Promise<void> {
  const problems = new Map<string, Problem>();
  for (const { id, executor } of commands) {
    const [program = ''] = executor.run;
    if (!problems.has(program) && !(await isProgram(program, workspace, parts.env))) {
      problems.set(program, {
        code: 'PROGRAM_NOT_FOUND',
        message: `The program ${program} of ${id} was not found or may not be executed`,
        where: `subtask ${id}, executor.run`,
        hint: 'Install it, or give its path relative to the workspace.',
      });
    }
    for (const name of namedVariables(parts.env, executor.env).missing) {
      problems.set(`$${name}`, {
        code: 'VARIABLE_NOT_SET',
        message: `The variable ${name} that ${id} needs is not set where the worker runs`,
        where: `subtask ${id}, executor.env`,
        hint: `Set ${name} in the worker's environment and start the worker again (\`heddle down\`, then run again with it set).`,
      });
    }
  }
  const [first, ...more] = problems.values();
  if (first === undefined) return;
  if (more.length === 0) throw new HeddleError(first);
  throw new HeddleError(
    {
      code: 'PREFLIGHT_FAILED',
      message: `The task cannot run here: ${[first, ...more].map(({ message }) => message).join('; ')}`,
      hint: 'Correct all of them, then run again.',
    },
    [first, ...more],
  );
}

/** A copy of the workspace needs git to be made and merged, and a program that runs here. */
async function checkIsolation({ env }: PrepareParts, subtasks: Task['subtasks']): Promise<void> {
  const isolated = subtasks.filter(({ isolation }) => isolation === 'worktree');
  const foreign = isolated.find(({ executor }) => executor.kind !== 'command');
  if (foreign !== undefined) {
    throw new HeddleError({
      code: 'PLAN_NOT_SUPPORTED',
      message: `\`isolation: worktree\` of ${foreign.id} is for programs; an activity works wherever its worker is.`,
      where: `subtask ${foreign.id}, isolation`,
      hint: 'Remove `isolation`, or use `kind: command`.',
    });
  }
  if (isolated.length === 0 || (await gitVersion(env['PATH'])) !== undefined) return;
  throw new HeddleError({
    code: 'PROGRAM_NOT_FOUND',
    message: `git, which \`isolation: worktree\` of ${isolated[0]?.id ?? ''} needs, was not found`,
    where: `subtask ${isolated[0]?.id ?? ''}, isolation`,
    hint: 'Install git where the worker runs, or remove `isolation`.',
  });
}

async function isProgram(program: string, workspace: string, env: PrepareParts['env']): Promise<boolean> {
  const places = program.includes('/')
    ? [resolve(workspace, program)]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder === '' ? workspace : folder, program));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      if ((await stat(place)).isFile()) return true;
    } catch {
      // Not here: the next place may have it.
    }
  }
  return false;
}

/** What is taken over must still be true here: known ids, their dependencies too, files as they were left. */
async function checkReuse(reuse: Reuse, subtasks: Task['subtasks'], workspace: string): Promise<void> {
  const reused = new Set(reuse.subtasks.map(({ id }) => id));
  const definitions = new Map(subtasks.map((subtask) => [subtask.id, subtask]));
  for (const { id, result } of reuse.subtasks) {
    const missing = definitions.get(id)?.dependsOn.find((dependency) => !reused.has(dependency));
    if (!definitions.has(id) || missing !== undefined) {
      throw notReusable(`${id} of the task ${reuse.task} does not fit into this plan`);
    }
    const files = result.files ?? [];
    const now = await stampDeliverables(
      workspace,
      files.map(({ path }) => path),
    );
    const changed = files.find(({ sha256 }, index) => now[index]?.sha256 !== sha256);
    if (changed !== undefined) throw notReusable(`${changed.path} is not as ${id} left it`);
  }
}

function notReusable(message: string): HeddleError {
  return new HeddleError({
    code: 'RETRY_DOES_NOT_FIT',
    message: `Finished work cannot be reused: ${message}`,
    hint: 'Run `heddle retry` again: it looks at the files as they are now.',
  });
}

/** A plan that does not fit never fits by itself: no retry, and the code is the failure's type. */
function asFailure(error: HeddleError): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}
