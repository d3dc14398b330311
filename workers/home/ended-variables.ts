import type { NativeConnection } from '@temporalio/worker';
import { stat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServedTask, variablesFile, variablesFolder } from '../../activities/home/home-layout.ts';
import { forgetVariables, readVariables, readVariablesFile } from '../../activities/redact/task-variables.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { buildWorkflowId } from '../../domain/names/names.ts';
import { workerLimits } from '../limits/worker-limits.ts';

/** A command may keep variables in these milliseconds before its task is known to the server. */
const { youngest, afterEnd } = workerLimits.variables;

export interface VariablesServer {
  connection: Pick<NativeConnection, 'workflowService'>;
  namespace: string;
  /** The server's own id of the namespace. */
  id: string;
}

/** Removes what was handed over for a task that says that it has ended, once the server knows of the end. */
export async function forgetAtEnd(
  root: string,
  server: VariablesServer,
  ended: { task: string; workflowId: string },
): Promise<void> {
  const task = { server: server.id, task: ended.task };
  for (const wait of afterEnd) {
    if (readVariables(root, task) === undefined) return;
    await sleep(wait, undefined, { ref: false });
    if ((await readState(server, ended.workflowId)) !== 'open') return forgetVariables(root, task);
  }
}

/** Removes what is left of tasks that have ended unseen: a worker was killed, or the server ended the task by itself. */
export async function forgetEnded(root: string, server: VariablesServer): Promise<void> {
  for (const { task, at } of await listKept(root)) {
    if (task.server !== server.id) continue;
    const state = await readState(server, buildWorkflowId(task.task));
    if (state === 'ended' || (state === 'unknown' && Date.now() - at > youngest)) forgetVariables(root, task);
  }
}

/** Removes what is left of tasks that are neither open nor new. `isOpen` knows the tasks of its servers, and says so of all others. */
export async function pruneVariables(root: string, isOpen: (task: ServedTask) => boolean): Promise<void> {
  for (const { task, at } of await listKept(root))
    if (!isOpen(task) && Date.now() - at > youngest) forgetVariables(root, task);
}

/** The tasks of which something is kept, and when it was kept, in milliseconds. */
async function listKept(root: string): Promise<{ task: ServedTask; at: number }[]> {
  const folder = variablesFolder(root);
  const kept: { task: ServedTask; at: number }[] = [];
  for (const name of await readdir(folder).catch(unlessMissing)) {
    if (!name.endsWith('.json')) continue;
    const path = join(folder, name);
    const variables = readVariablesFile(path);
    if (variables === undefined) continue;
    const { server, task } = variables;
    if (variablesFile(root, { server, task }) === path)
      kept.push({ task: { server, task }, at: (await stat(path)).mtimeMs });
  }
  return kept;
}

function unlessMissing(error: unknown): string[] {
  if (systemCode(error) === 'ENOENT') return [];
  throw error;
}

async function readState(
  { connection, namespace }: VariablesServer,
  workflowId: string,
): Promise<'open' | 'ended' | 'unknown'> {
  try {
    const { workflowExecutionInfo: info } = await connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    return info?.closeTime ? 'ended' : 'open';
  } catch (error) {
    // The server's own code for "there is none".
    if (error instanceof Error && 'code' in error && error.code === 5) return 'unknown';
    throw error;
  }
}
