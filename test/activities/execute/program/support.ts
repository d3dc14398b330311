import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

import { createExecuteSubtask } from '../../../../activities/execute/execute-subtask.ts';
import { readIdentity } from '../../../../activities/programs/process-identity.ts';
import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { FileStore } from '../../../../activities/store/file-store.ts';
import { attemptPaths, type AttemptPaths } from '../../../../activities/home/home-layout.ts';
import { readRecord, type RunningRecord } from '../../../../activities/attempt/running-record.ts';
import type { DependencyResult, ExecuteInput, InputRef, PromptContext } from '../../../../domain/types/attempt.ts';
import type { Failed, Finished, Outcome } from '../../../../domain/types/outcome.ts';
import type { PlanPageContent } from '../../../../domain/types/plan.ts';
import type { CommandExecutor, Subtask } from '../../../../domain/types/subtask.ts';
import { withoutGit } from './without-git.ts';
import { listVariables } from '../../../../domain/executors/kinds.ts';
import { subtask } from './support-subtask.ts';

/** A folder of this test alone, gone afterwards. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'heddle-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Our own programs only: a pid that the program under test told us. Waits, since the kernel may be a moment behind. */
export async function isGone(pid: number): Promise<boolean> {
  return eventually(() => readIdentity(pid) === undefined);
}

export async function eventually(holds: () => boolean, most = 30_000): Promise<boolean> {
  for (const deadline = Date.now() + most; Date.now() < deadline; await sleep(20)) if (holds()) return true;
  return holds();
}

/** Waits for a file that a program under test writes, complete with its newline. */
export async function readWhenThere(path: string): Promise<string> {
  const read = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  if (!(await eventually(() => read().endsWith('\n')))) throw new Error(`${path} was not written`);
  return read().trim();
}

/** One call by Temporal. Failures that a test expects are not logged. */
export function activityEnvironment(info: Partial<Info> = {}): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
}

export type Given = Partial<Omit<ExecuteInput, 'plan' | 'context' | 'inputs'>> &
  Partial<Pick<CommandExecutor, 'run' | 'env' | 'onCrash'>> &
  Partial<Pick<Subtask, 'description' | 'deliverables'>> & {
    delivery?: CommandExecutor['prompt'];
    promptContext?: Partial<PromptContext>;
    /** By their results, or as the workflow refers to them. */
    inputs?: (DependencyResult | InputRef)[];
  };

export interface Rig {
  root: string;
  workspace: string;
  store: FileStore;
  /** The input that the workflow would give the activity, with its definition in the store. */
  input: (given: Given) => Promise<ExecuteInput>;
  /** Runs the activity as Temporal would; one environment per call. */
  execute: (given: Given, environment?: MockActivityEnvironment) => Promise<Outcome>;
  /** Paths of the traces that the attempt leaves. */
  paths: (given?: Given) => Promise<AttemptPaths>;
  /** The running record of the attempt. */
  record: (given?: Given) => Promise<RunningRecord>;
}

/** The namespace of `MockActivityEnvironment`. */
const namespace = 'test';

/** Without snapshots of its workspace, unless it is given an environment with git. */
export async function makeRig(env: Record<string, string | undefined> = withoutGit()): Promise<Rig> {
  const folder = await temporaryFolder();
  const root = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const store = new FileStore(join(root, 'store'));
  const executeSubtask = createExecuteSubtask({
    store,
    root,
    secrets: new EnvironmentSecrets(env),
    logger: { warn: () => undefined },
  });
  const input = async (given: Given): Promise<ExecuteInput> => {
    const { run = ['true'], delivery = 'stdin', env: names = [], onCrash = 'rerun', ...others } = given;
    const { description = 'Do it.', deliverables = [], promptContext, inputs = [], ...rest } = others;
    const subtaskId = given.subtaskId ?? 'draft';
    const executor: CommandExecutor = { kind: 'command', run, prompt: delivery, timeout: 30_000, env: names, onCrash };
    const page: PlanPageContent = {
      goal: 'the goal',
      variables: listVariables(executor),
      subtasks: [subtask(subtaskId, { description, deliverables, executor })],
    };
    return {
      taskId: 't1',
      subtaskId,
      chain: 'chain-1',
      startedAt: '2026-01-01T00:00:00.000Z',
      plan: await store.put(JSON.stringify(page)),
      workspace,
      attempt: 1,
      tier: 1,
      thinking: false,
      timeout: 30_000,
      context: { guidance: [], steering: [], retry: null, ...promptContext },
      inputs: await Promise.all(inputs.map((each) => reference(store, each))),
      idempotencyKey: `t1/draft/${String(given.attempt ?? 1)}`,
      ...rest,
    };
  };
  const execute = async (given: Given, environment = activityEnvironment()): Promise<Outcome> =>
    environment.run(executeSubtask, await input(given));
  const paths = async (given: Given = {}): Promise<AttemptPaths> => attemptPaths(root, await input(given), namespace);
  const record = async (given: Given = {}): Promise<RunningRecord> => {
    const storedRecord = await readRecord(await paths(given));
    if (storedRecord === undefined || storedRecord === 'unreadable') throw new Error('there is no record');
    return storedRecord;
  };
  return { root, workspace, store, input, execute, paths, record };
}

async function reference(store: FileStore, result: DependencyResult | InputRef): Promise<InputRef> {
  if ('result' in result) return result;
  const { id, status, notes } = result;
  return { id, status, notes, result: await store.put(JSON.stringify(result)) };
}

/** An outcome that finished; anything else fails the test. */
export function finished(outcome: Outcome): Finished {
  if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** The failure of an outcome that failed. */
export function failureIn(outcome: Outcome): Failed['failure'] {
  if (outcome.kind !== 'failed') throw new Error(JSON.stringify(outcome));
  return outcome.failure;
}

/** A program that `run: [path]` can name. */
export async function writeProgram(path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

/** Modules that a worker loads are compiled once for all of them. */
const compiled = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'heddle-tests');

const module = (path: string): string => new URL(`../../../../${path}`, import.meta.url).href;

/** A worker in a process of its own, to be stopped or killed; it has these attempts at once. */
export async function startWorker(rig: Rig, ...given: Given[]): Promise<ChildProcess> {
  const script = `
    import { flushCompileCache } from 'node:module';
    import { MockActivityEnvironment } from '${import.meta.resolve('@temporalio/testing')}';
    import { createExecuteSubtask } from '${module('activities/execute/execute-subtask.ts')}';
    import { EnvironmentSecrets } from '${module('activities/redact/secrets.ts')}';
    import { FileStore } from '${module('activities/store/file-store.ts')}';
    // One that is killed leaves nothing for the next.
    flushCompileCache();
    const [root, inputs] = process.argv.slice(1);
    const executeSubtask = createExecuteSubtask({ store: new FileStore(root + '/store'), root, secrets: new EnvironmentSecrets(process.env), logger: { warn() {} } });
    await Promise.allSettled(JSON.parse(inputs).map((input) => new MockActivityEnvironment().run(executeSubtask, input)));`;
  const inputs = JSON.stringify(await Promise.all(given.map((each) => rig.input(each))));
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const args = ['--input-type=module', '-e', script, rig.root, inputs];
  const worker = spawn(process.execPath, args, { stdio: 'ignore', env });
  onTestFinished(() => {
    worker.kill('SIGKILL');
  });
  return worker;
}
