import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

import { createExecuteSubtask } from '../../../activities/execute/execute-subtask.ts';
import { readIdentity } from '../../../activities/programs/process-identity.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { ExecuteInput, Execution } from '../../../domain/model/attempt.ts';
import type { CommandExecutor } from '../../../domain/model/subtask.ts';

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

export type Given = Partial<Omit<ExecuteInput, 'executor'>> &
  Partial<Pick<CommandExecutor, 'run' | 'env' | 'onCrash'>> & { delivery?: CommandExecutor['prompt'] };

export interface Rig {
  root: string;
  workspace: string;
  store: FileStore;
  input: (given: Given) => ExecuteInput;
  /** Runs the activity as Temporal would; one environment per call. */
  execute: (given: Given, environment?: MockActivityEnvironment) => Promise<Execution>;
}

export async function makeRig(env: Record<string, string | undefined> = process.env): Promise<Rig> {
  const folder = await temporaryFolder();
  const root = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const store = new FileStore(join(root, 'store'));
  const executeSubtask = createExecuteSubtask({ store, root, env, logger: { warn: () => undefined } });
  const input = (given: Given): ExecuteInput => {
    const { run = ['true'], delivery = 'stdin', env: names = [], onCrash = 'rerun', ...rest } = given;
    return {
      taskId: 't1',
      subtaskId: 'draft',
      workspace,
      deliverables: [],
      attempt: 1,
      tier: 1,
      thinking: false,
      timeout: 30_000,
      prompt: 'Do it.',
      inputs: [],
      idempotencyKey: `t1/draft/${String(given.attempt ?? 1)}`,
      ...rest,
      executor: { kind: 'command', run, prompt: delivery, timeout: 30_000, env: names, onCrash },
    };
  };
  const execute = (given: Given, environment = activityEnvironment()): Promise<Execution> =>
    environment.run(executeSubtask, input(given));
  return { root, workspace, store, input, execute };
}

/** A program that `run: [path]` can name. */
export async function writeProgram(path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o755 });
  return path;
}
