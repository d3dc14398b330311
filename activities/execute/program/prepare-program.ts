import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DependencyResult } from '../../../domain/types/attempt.ts';
import { buildArguments } from '../../../domain/executors/arguments.ts';
import { isOfPreset } from '../../../domain/executors/presets.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { buildPrompt } from '../../../domain/prompts/prompt.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { Store } from '../../store/store.ts';
import { baseEnvironment } from '../../programs/base-environment.ts';
import type { NotStarted } from '../../programs/explain-start.ts';
import { findOwnProgram, ownPath } from '../../programs/own-programs.ts';
import { keyVariable } from '../../programs/orphan.ts';
import type { ProgramOptions } from '../../programs/run-program.ts';
import type { AttemptPaths } from '../../home/home-layout.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { Secrets } from '../../redact/secrets.ts';
import { loadPromptEvidence } from '../../evidence/prompt-evidence.ts';
import { loadResults } from '../../pages/load-results.ts';
import {
  evidenceFile,
  inputsFile,
  inputsVariable,
  resultFile,
  scratchFolder,
  scratchOutput,
  showLog,
} from '../../attempt/attempt-scratch.ts';
import type { ScratchOutput } from '../../attempt/attempt-scratch.ts';
import type { CommandAttempt } from '../../attempt/attempt.ts';

/** EX_CONFIG: no retry helps until a person has changed something. */
const badConfig = 78;

/** A program that is ready to run. */
export interface Prepared extends Pick<ProgramOptions, 'argv' | 'cwd' | 'env' | 'stdin'> {
  paths: ScratchOutput;
  /** The file to which the program writes its own result, when its arguments say so. */
  resultFile: string;
  /** The same program without the conversation that it was to go on in. */
  fresh?: readonly string[];
  /** Removes the variables that the plan names: their values must not show up anywhere. */
  redactor: Redactor;
}

export async function prepareProgram(
  attempt: CommandAttempt,
  parts: { store: Store; secrets: Secrets; redactor: Redactor; paths: AttemptPaths; run: string; session?: string },
): Promise<Prepared | NotStarted> {
  const problem = await findProblem(attempt, parts.secrets);
  if (problem !== undefined) return problem;
  const dependencies = await readInputs(attempt, parts.store);
  if ('message' in dependencies) return dependencies;
  const { executor, input, workspace, goal, subtask, lessons = [] } = attempt;
  const scratch = scratchFolder(parts.paths, parts.run);
  await mkdir(scratch, { mode: 0o700 });
  await showLog(parts.paths, scratch);
  const inputs = inputsFile(parts.paths, parts.run);
  const inputFacts = await Promise.all(dependencies.map((result) => describeInput(result, parts.store)));
  await writeFile(inputs, JSON.stringify(inputFacts, null, 2));
  const named = parts.secrets.valuesOf(executor.env).values;
  const ofPreset = isOfPreset(executor);
  const base = baseEnvironment(parts.secrets.environment);
  const env = {
    ...base,
    ...(ofPreset ? { PATH: ownPath(base['PATH'], workspace) } : {}),
    ...executor.set,
    ...named,
    ...attempt.inputs,
    ...heddleVariables(attempt),
    [inputsVariable]: inputs,
    HEDDLE_EVIDENCE_FILE: evidenceFile(scratch),
  };
  const results = resultFile(scratch);
  const promptFile = executor.prompt === 'file' ? { promptFile: join(scratch, 'prompt.txt') } : {};
  const called = { tier: input.tier, thinking: input.thinking, resultFile: results, ...promptFile };
  const { session } = parts;
  const own = ofPreset ? findOwnProgram(executor.run[0] ?? '', { path: base['PATH'], workspace }) : undefined;
  const resolved = own === undefined ? executor : { ...executor, run: [own, ...executor.run.slice(1)] };
  const argv = buildArguments(resolved, { ...called, ...(session === undefined ? {} : { session }) });
  const common = {
    argv,
    ...(session === undefined ? {} : { fresh: buildArguments(resolved, called) }),
    cwd: workspace,
    paths: scratchOutput(scratch),
    resultFile: results,
    redactor: parts.redactor,
  };
  const evidence = await loadPromptEvidence(parts.store, { subtask, input, folder: workspace });
  const { context } = input;
  const prompt = buildPrompt({ goal, subtask, attempt: input.attempt, context, dependencies, lessons, evidence });
  switch (executor.prompt) {
    case 'stdin':
      return { ...common, env, stdin: prompt };
    case 'argument':
      return withArgument({ ...common, env }, prompt);
    case 'file': {
      const path = join(scratch, 'prompt.txt');
      await writeFile(path, prompt);
      return { ...common, env: { ...env, HEDDLE_PROMPT_FILE: path } };
    }
  }
}

function withArgument(program: Prepared, prompt: string): Prepared {
  // No argument can hold a zero byte.
  const argument = prompt.replaceAll('\0', '\uFFFD');
  const { argv, fresh } = program;
  return { ...program, argv: [...argv, argument], ...(fresh === undefined ? {} : { fresh: [...fresh, argument] }) };
}

async function findProblem({ executor, workspace }: CommandAttempt, secrets: Secrets): Promise<NotStarted | undefined> {
  const { missing } = secrets.valuesOf(executor.env);
  if (missing.length > 0) {
    const are =
      missing.length === 1 ? `variable ${missing.join()} is` : `variables ${formatList(missing, missing.length)} are`;
    return {
      exitCode: badConfig,
      message: `The ${are} not set: the command that started or last answered the task has no value, nor does the worker.`,
    };
  }
  const [program = ''] = executor.run;
  if (
    isOfPreset(executor) &&
    findOwnProgram(program, { path: baseEnvironment(secrets.environment)['PATH'], workspace }) === undefined
  )
    return { exitCode: badConfig, message: `The program ${program} was not found outside of the workspace.` };
  const isFolder = await stat(workspace).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder
    ? undefined
    : { exitCode: null, message: `The workspace ${workspace} does not exist, or is not a folder.` };
}

async function readInputs({ input }: CommandAttempt, store: Store): Promise<DependencyResult[] | NotStarted> {
  try {
    const results = await loadResults(store, input.inputs);
    // The program reads outputs itself: better to say now that one is gone.
    for (const { output } of results) if (output !== undefined) await store.head(output, 0);
    return results;
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    return { exitCode: null, message: `The result of a dependency cannot be read: ${error.message} (${error.code}).` };
  }
}

async function describeInput(result: DependencyResult, store: Store): Promise<object> {
  const { id, status, notes, deliverables, output } = result;
  return { id, status, notes, deliverables, ...(output === undefined ? {} : { output: await store.file(output) }) };
}

function heddleVariables({ input }: CommandAttempt): Record<string, string> {
  return {
    HEDDLE_TASK_ID: input.taskId,
    HEDDLE_SUBTASK_ID: input.subtaskId,
    HEDDLE_ATTEMPT: String(input.attempt),
    HEDDLE_TIER: String(input.tier),
    HEDDLE_THINKING: input.thinking ? '1' : '0',
    [keyVariable]: input.idempotencyKey,
  };
}
