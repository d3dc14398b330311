import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DependencyResult, ExecuteInput } from '../../domain/model/attempt.ts';
import { argumentsFor } from '../../domain/executors/arguments.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { sayList } from '../../domain/text/text.ts';
import type { FileStore } from '../store/file-store.ts';
import { baseEnvironment, namedVariables } from '../programs/base-environment.ts';
import type { Variables } from '../programs/base-environment.ts';
import type { NotStarted } from '../programs/explain-start.ts';
import { keyVariable } from '../programs/orphan.ts';
import { redactorFor } from '../programs/redact-secrets.ts';
import type { ProgramOptions } from '../programs/run-program.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { RunningPaths } from '../attempt/running-paths.ts';
import { scratchFolder, scratchOutput, showLog } from '../attempt/scratch.ts';
import type { ScratchOutput } from '../attempt/scratch.ts';

/** EX_CONFIG: no retry helps until a person has changed something. */
const badConfig = 78;

/** A program that is ready to run. */
export interface Prepared extends Pick<ProgramOptions, 'argv' | 'cwd' | 'env' | 'stdin'> {
  paths: ScratchOutput;
  /** Of the variables that the plan names: what must not show up anywhere. */
  redactor: Redactor;
}

export async function prepareProgram(
  input: ExecuteInput,
  parts: { store: FileStore; env: Variables; paths: RunningPaths; run: string },
): Promise<Prepared | NotStarted> {
  const problem = await findProblem(input, parts);
  if (problem !== undefined) return problem;
  const scratch = scratchFolder(parts.paths, parts.run);
  await mkdir(scratch, { mode: 0o700 });
  await showLog(parts.paths, scratch);
  const inputsFile = join(scratch, 'inputs.json');
  await writeFile(
    inputsFile,
    JSON.stringify(
      input.inputs.map((result) => describeInput(result, parts.store)),
      null,
      2,
    ),
  );
  const named = namedVariables(parts.env, input.executor.env).found;
  const env = { ...baseEnvironment(parts.env), ...named, ...heddleVariables(input), HEDDLE_INPUTS_FILE: inputsFile };
  const common = { cwd: input.workspace, paths: scratchOutput(scratch), redactor: redactorFor(parts.env, [input]) };
  switch (input.executor.prompt) {
    case 'stdin':
      return { ...common, argv: argumentsFor(input.executor, input), env, stdin: input.prompt };
    case 'argument':
      // No argument can hold a zero byte.
      return {
        ...common,
        argv: [...argumentsFor(input.executor, input), input.prompt.replaceAll('\0', '\uFFFD')],
        env,
      };
    case 'file': {
      const promptFile = join(scratch, 'prompt.txt');
      await writeFile(promptFile, input.prompt);
      const argv = argumentsFor(input.executor, { ...input, promptFile });
      return { ...common, argv, env: { ...env, HEDDLE_PROMPT_FILE: promptFile } };
    }
  }
}

async function findProblem(
  input: ExecuteInput,
  parts: { store: FileStore; env: Variables },
): Promise<NotStarted | undefined> {
  const { missing } = namedVariables(parts.env, input.executor.env);
  if (missing.length > 0) {
    const are =
      missing.length === 1 ? `variable ${missing.join()} is` : `variables ${sayList(missing, missing.length)} are`;
    return { exitCode: badConfig, message: `The ${are} not set in the worker's environment.` };
  }
  const isFolder = await stat(input.workspace).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    return { exitCode: null, message: `The workspace ${input.workspace} is not there, or is not a folder.` };
  try {
    for (const { output } of input.inputs) if (output !== undefined) await parts.store.head(output, 0);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    return { exitCode: null, message: `The output of a dependency cannot be read: ${error.message} (${error.code}).` };
  }
  return undefined;
}

function describeInput(result: DependencyResult, store: FileStore): object {
  const { id, status, notes, deliverables, output } = result;
  return { id, status, notes, deliverables, ...(output === undefined ? {} : { output: store.path(output) }) };
}

function heddleVariables(input: ExecuteInput): Record<string, string> {
  return {
    HEDDLE_TASK_ID: input.taskId,
    HEDDLE_SUBTASK_ID: input.subtaskId,
    HEDDLE_ATTEMPT: String(input.attempt),
    HEDDLE_TIER: String(input.tier),
    HEDDLE_THINKING: input.thinking ? '1' : '0',
    [keyVariable]: input.idempotencyKey,
  };
}
