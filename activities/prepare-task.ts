import { ApplicationFailure } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { HeddleError, type Problem } from '../domain/heddle-error.ts';
import { parsePlan } from '../domain/parse-plan.ts';
import { completePlan } from '../domain/plan-complete.ts';
import { planError } from '../domain/plan-problem.ts';
import type { CommandExecutor, Task } from '../domain/task.ts';

export interface PrepareParts {
  /** The name of this worker's host, and the queue of the activities that need its files. */
  host: string;
  hostQueue: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Which of our search attributes the server has with the right type. */
  searchAttributes: () => Promise<string[]>;
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
  const parsed = parsePlan(input.plan);
  if (!parsed.ok) throw planError(parsed.problems);
  const plan = completePlan(parsed.plan);
  const workspace = await findWorkspace(plan.workspace ?? process.cwd());
  const commands = plan.subtasks.flatMap(({ id, executor }) => (executor.kind === 'command' ? [{ id, executor }] : []));
  await preflight(parts, workspace, commands);
  return {
    ...plan,
    id: input.taskId,
    workspace,
    project: plan.project ?? defaultProject(workspace),
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
function defaultProject(workspace: string): string {
  return `${basename(workspace)}-${createHash('sha256').update(workspace).digest('hex').slice(0, 8)}`;
}

/** Everything that would stop the task later and can be seen now, all at once. */
async function preflight(parts: PrepareParts, workspace: string, commands: { id: string; executor: CommandExecutor }[]): Promise<void> {
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
    for (const name of executor.env.filter((variable) => parts.env[variable] === undefined)) {
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

/** A plan that does not fit never fits by itself: no retry, and the code is the failure's type. */
function asFailure(error: HeddleError): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}
