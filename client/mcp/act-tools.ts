import { z } from 'zod';
import { accepted, checkedPlan } from '../wire/outcomes.ts';
import { startedTask } from '../wire/task.ts';
import { describeJson, pathOf, tool, type Tool } from './tool.ts';

const taskId = z.string().describe('The id of the task, or `latest`');

const planText = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .describe(
    'A plan as an object, or as YAML or JSON text: `goal`, an absolute `workspace`, and `subtasks` unless a model is to plan',
  );

/** Tools that start, steer and end tasks. None of them answers a question. */
export const actTools: readonly Tool[] = [
  tool({
    name: 'check_plan',
    title: 'Check a plan',
    description: 'Checks a plan without starting it, and names each problem with its place.',
    role: 'operator',
    input: z.object({ plan: planText }),
    output: checkedPlan,
    run: async ({ args, ask }) => describeJson(await ask({ method: 'POST', path: '/plans/check', body: args })),
  }),
  tool({
    name: 'start_task',
    title: 'Start a task',
    description: 'Starts a task from a goal or a plan, and returns its id at once. `wait_for_task` follows it.',
    role: 'operator',
    input: z.object({ plan: planText, id: z.string().optional() }),
    output: startedTask,
    changes: 'adds',
    run: async ({ args, ask }) => describeJson(await ask({ method: 'POST', path: '/tasks', body: args })),
  }),
  tool({
    name: 'steer_task',
    title: 'Steer a task',
    description: 'Gives a running task, or one of its subtasks, words to keep to. `replan` also has the plan changed.',
    role: 'decider',
    input: z.object({ task: taskId, text: z.string(), subtask: z.string().optional(), replan: z.boolean().optional() }),
    output: accepted,
    changes: 'adds',
    run: async ({ args: { task, ...body }, ask }) =>
      describeJson(await ask({ method: 'POST', path: `${pathOf('tasks', task)}/steer`, body })),
  }),
  tool({
    name: 'cancel_task',
    title: 'Cancel a task',
    description: 'Stops a task. Finished work stays.',
    role: 'operator',
    input: z.object({ task: taskId, reason: z.string().optional() }),
    output: accepted,
    changes: 'ends',
    run: async ({ args: { task, ...body }, ask }) =>
      describeJson(await ask({ method: 'POST', path: `${pathOf('tasks', task)}/cancel`, body })),
  }),
];
