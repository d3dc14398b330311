import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { inbox } from '../wire/decision.ts';
import { task, taskPage } from '../wire/task.ts';
import { diff, report } from '../wire/work.ts';
import { describeJson, pathOf, tool, toRecord, type Tool, type ToolCall } from './tool.ts';

const taskId = z.string().describe('The id of the task, or `latest`');

/** Some clients give up on a tool after a minute. */
const longestWait = 50;
const lookEvery = 1_000;

/** States in which a task does nothing more without a person, or at all. */
const restingStates: readonly unknown[] = ['waiting', 'paused', 'completed', 'failed', 'cancelled'];

/** Tools that change nothing. */
export const lookTools: readonly Tool[] = [
  tool({
    name: 'list_tasks',
    title: 'List tasks',
    description: 'Lists tasks, open ones first and newest first. `next` is the cursor of the next page.',
    role: 'viewer',
    input: z.object({
      state: z
        .string()
        .describe('States by comma, such as `running,waiting`; `open` for all that have not ended')
        .optional(),
      project: z.string().optional(),
      text: z.string().describe('Words of the goal').optional(),
      limit: z.int().min(1).max(100).optional(),
      cursor: z.string().optional(),
    }),
    output: taskPage,
    run: async ({ args: { limit, ...query }, ask }) => {
      const pages = limit === undefined ? {} : { limit: String(limit) };
      return describeJson(await ask({ method: 'GET', path: '/tasks', query: { ...query, ...pages } }));
    },
  }),
  tool({
    name: 'task_status',
    title: 'Status of a task',
    description: 'Says what a task is doing now, what it waits for, and how each subtask stands.',
    role: 'viewer',
    input: z.object({ task: taskId }),
    output: task,
    run: readTask,
  }),
  tool({
    name: 'wait_for_task',
    title: 'Wait for a task',
    description: `Waits until a task asks a person, is paused or has ended, at most ${longestWait} seconds. Returns its status; call it again while the task works.`,
    role: 'viewer',
    input: z.object({ task: taskId, seconds: z.int().min(1).max(longestWait).optional() }),
    output: task,
    run: async (call) => {
      const deadline = Date.now() + (call.args.seconds ?? longestWait) * 1_000;
      for (;;) {
        const result = await readTask(call);
        if (restingStates.includes(result.data['state']) || Date.now() + lookEvery > deadline) return result;
        await sleep(lookEvery, undefined, { signal: call.signal });
      }
    },
  }),
  tool({
    name: 'list_decisions',
    title: 'List open questions',
    description:
      'Lists the questions that wait for a person, of one task or of all. `answer_decision` asks the person.',
    role: 'viewer',
    input: z.object({ task: taskId.optional() }),
    output: inbox.partial({ silent: true }),
    run: async ({ args, ask }) => {
      const path = args.task === undefined ? '/decisions' : `${pathOf('tasks', args.task)}/decisions`;
      return describeJson(await ask({ method: 'GET', path }));
    },
  }),
  tool({
    name: 'task_report',
    title: 'Report of a task',
    description: 'What was tried, what failed, what was decided and what it cost: as Markdown, and as data.',
    role: 'viewer',
    input: z.object({ task: taskId }),
    output: report,
    run: async ({ args, ask }) => {
      const path = `${pathOf('tasks', args.task)}/report`;
      const [data, words] = [
        await ask({ method: 'GET', path }),
        await ask({ method: 'GET', path, accept: 'text/markdown' }),
      ];
      return { text: words.text, data: toRecord(data.json) };
    },
  }),
  tool({
    name: 'task_diff',
    title: 'Changes of a task',
    description:
      'The files that a task, or one of its subtasks, changed in the workspace: as a unified diff, and as data.',
    role: 'viewer',
    input: z.object({ task: taskId, subtask: z.string().optional() }),
    output: diff,
    run: async ({ args, ask }) => {
      const request = {
        method: 'GET',
        path: `${pathOf('tasks', args.task)}/diff`,
        query: { subtask: args.subtask },
      } as const;
      const [data, patch] = [await ask(request), await ask({ ...request, accept: 'text/x-diff' })];
      return { text: patch.text === '' ? 'No file changed.' : patch.text, data: toRecord(data.json) };
    },
  }),
];

async function readTask({ args, ask }: Pick<ToolCall<{ task: string }>, 'args' | 'ask'>) {
  return describeJson(await ask({ method: 'GET', path: pathOf('tasks', args.task) }));
}
