import type { TaskHandle } from '../../sdk/task-handle.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { withTask } from './find-task.ts';
import { onceAskedToStop } from '../shared/stop-request.ts';
import { userName } from '../shared/user-name.ts';

interface Sending {
  signal?: boolean;
}

/** A signal has no answer. */
const sent = (taskId: string): string => `Sent to ${taskId}; it is delivered as soon as a worker is running.`;

export function steerCommand(
  context: Context,
  task: string,
  text: string,
  { subtask, replan = false, signal = false }: Sending & { subtask?: string; replan?: boolean },
): Promise<number> {
  const about = { ...(subtask === undefined ? {} : { subtask }), ...(replan ? { replan } : {}) };
  return withTask(context, task, async (handle) => {
    await handle.steer({ text, ...about, by: userName(context.ports.env) }, { signal });
    const whose = subtask === undefined ? '' : ` of ${subtask}`;
    const taken = `Running agents${whose} get this instruction before their next model call, and so does every attempt${whose} that starts from now on.`;
    const planned = replan ? ' The planner makes a new plan that follows it.' : '';
    const sentence = signal ? sent(handle.id) : `${taken}${planned}`;
    return printResult(context, { taskId: handle.id, text, ...about }, sentence);
  });
}

export function pauseCommand(
  context: Context,
  task: string,
  { reason, signal = false }: Sending & { reason?: string },
): Promise<number> {
  const about = reason === undefined ? {} : { reason };
  return withTask(context, task, async (handle) => {
    await handle.pause({ ...about, by: userName(context.ports.env) }, { signal });
    const paused = `Paused: running programs finish, agents stop before their next model call, nothing new starts. \`heddle resume ${handle.id}\` resumes it.`;
    return printResult(context, { taskId: handle.id, ...about }, signal ? sent(handle.id) : paused);
  });
}

export function resumeCommand(context: Context, task: string, { signal = false }: Sending): Promise<number> {
  return withTask(context, task, async (handle) => {
    await handle.resume({ by: userName(context.ports.env), signal });
    return printResult(context, { taskId: handle.id }, signal ? sent(handle.id) : `The task ${handle.id} is resumed.`);
  });
}

/** The server alone cancels: this works with a service of any version. */
export function cancelCommand(context: Context, task: string, { wait = false }: { wait?: boolean }): Promise<number> {
  return withTask(context, task, (handle) => cancel(context, handle, wait), { anyVersion: true });
}

async function cancel(context: Context, handle: TaskHandle, wait: boolean): Promise<number> {
  await handle.cancel({ by: userName(context.ports.env) });
  const { id } = handle;
  if (!wait) {
    const sentence = `Cancelling the task ${id}: running subtasks are stopped, finished work is kept. \`heddle watch ${id}\` shows it.`;
    return printResult(context, { taskId: id, state: 'cancelling' }, sentence);
  }
  context.output.note(`Cancelling the task ${id}…`);
  const stop = new AbortController();
  const release = onceAskedToStop(context.ports, () => stop.abort());
  try {
    const events = handle.follow({ signal: stop.signal });
    while ((await events.next()).done !== true);
  } finally {
    release();
  }
  if (stop.signal.aborted) return exits.interrupted;
  const { state, summary } = await handle.status();
  return printResult(context, { taskId: id, state }, `The task ${id} has ended as ${state}: ${summary}`);
}

function printResult(
  { output }: Context,
  data: { taskId: string } & Record<string, unknown>,
  sentence: string,
): number {
  if (output.json) output.data(data);
  else output.print(sentence);
  return exits.done;
}
