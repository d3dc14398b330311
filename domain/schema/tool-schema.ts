import * as z from 'zod';
import { toolNames } from '../executors/agent.ts';
import { addRefusal, list } from '../input/values.ts';
import { quoteName } from '../input/problem.ts';
import { nearest } from '../text/nearest.ts';

/** Tools that a process may name although a task has them only where they are set up. */
const optionalTools = ['web_fetch', 'read_artifact', 'save_artifact', 'recall', 'delegate_task'] as const;

const knownTools: readonly string[] = [...new Set<string>([...toolNames, ...optionalTools])];

/** A tool of an MCP server or of a process package: its name says whose it is. */
const foreignTool = /^[A-Za-z0-9_-]{1,64}__[A-Za-z0-9_.-]{1,128}$/;

/** The name of a tool that exists somewhere. Whether a task has it is known when it starts. */
const toolName = z.string({ error: 'the name of a tool' }).check((context) => {
  const name = context.value;
  if (knownTools.includes(name) || foreignTool.test(name)) return;
  const suggestion = nearest(name, knownTools);
  addRefusal(context, name, {
    code: 'PLAN_WRONG_TYPE',
    message: `There is no tool ${quoteName(name)}${suggestion === undefined ? '.' : `; did you mean \`${suggestion}\`?`}`,
    hint: suggestion === undefined ? `Use one of: ${knownTools.join(', ')}.` : `Write \`${suggestion}\`.`,
  });
});

export const toolListSchema = list(toolName, 'a list of names of tools');
