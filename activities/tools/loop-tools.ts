import * as z from 'zod';
import { limits } from '../../domain/limits/domain-limits.ts';
import { contractStatuses } from '../../domain/output/completion-contract.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { LoopTool } from './common/tool.ts';

/* Tools that the loop plays itself: only their schemas and descriptions are here. */

const { timeout, ...most } = activityLimits.tools;
const requiredText = z.string().min(1).max(most.words);

const questionSchema = z.strictObject({
  question: requiredText,
  options: z.array(z.string().min(1).max(limits.asked.option)).max(limits.asked.options).exactOptional(),
});

export const askUser: LoopTool<z.infer<typeof questionSchema>> = {
  name: 'ask_user',
  description: 'Asks a person and waits, maybe for days. Only for what you cannot find out or decide; up to 5 options.',
  kind: 'loop',
  schema: questionSchema,
  timeout,
};

// The contract of a subtask that owes evidence explains the keys: other prompts pay for their names alone.
const noteSchema = z.strictObject({
  text: requiredText,
  source: requiredText.exactOptional(),
  quote: requiredText.exactOptional(),
  target: requiredText.exactOptional(),
});

export const note: LoopTool<z.infer<typeof noteSchema>> = {
  name: 'note',
  description: 'Keeps a finding as evidence, with its source.',
  kind: 'loop',
  schema: noteSchema,
  timeout,
};

const narrateSchema = z.strictObject({ text: requiredText });

export const narrate: LoopTool<z.infer<typeof narrateSchema>> = {
  name: 'narrate',
  description: 'Tells the people who watch what you are doing, in one sentence.',
  kind: 'loop',
  schema: narrateSchema,
  timeout,
};

const todoSchema = z.strictObject({
  items: z.array(z.strictObject({ text: requiredText, done: z.boolean() })).max(most.todos),
});

export const todo: LoopTool<z.infer<typeof todoSchema>> = {
  name: 'todo',
  description: 'Replaces your list of steps. Open ones are shown to you again after tool results.',
  kind: 'loop',
  schema: todoSchema,
  timeout,
};

const finishSchema = z.strictObject({
  status: z.enum(contractStatuses),
  notes: z.string().exactOptional().describe('what was done, or why not'),
  deliverablesTouched: z.array(z.string()).exactOptional(),
});

export const finish: LoopTool<z.infer<typeof finishSchema>> = {
  name: 'finish',
  description: 'Ends your work. Say success only when all of it is done; the result is checked.',
  kind: 'loop',
  schema: finishSchema,
  timeout,
};
