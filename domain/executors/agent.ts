import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import { planLimits } from '../input/limits.ts';
import { list, map, name, oneOf, wholeNumber } from '../input/values.ts';
import { executorExpected, timeoutKey } from './keys.ts';
import { executorKind } from './kind.ts';

/**
 * Tools that every worker has, in the order in which models are sent them: the names that a plan may list. An agent always has `finish`.
 * A worker's registry may hold more (activities/tools/common/tool-registry.ts).
 */
export const toolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'delete_path',
  'move_path',
  'list_folder',
  'find_files',
  'search_text',
  'shell',
  'git',
  'ask_user',
  'note',
  'narrate',
  'todo',
  'finish',
] as const;

export type BuiltInTool = (typeof toolNames)[number];

/** Tools that only look. */
export const lookingTools = [
  'read_file',
  'list_folder',
  'find_files',
  'search_text',
  'ask_user',
  'note',
  'narrate',
  'todo',
  'finish',
] as const satisfies readonly BuiltInTool[];

const schema = map(
  {
    kind: z.literal('agent'),
    model: name('the name of a model').exactOptional(),
    tools: list(oneOf(toolNames), 'a list of names of tools').exactOptional(),
    iterations: wholeNumber(1, planLimits.iterations).exactOptional(),
    timeout: timeoutKey,
  },
  executorExpected,
);

export interface AgentExecutor {
  kind: 'agent';
  /** By its name in `heddle.toml`; else the router chooses by tier. */
  model?: string;
  /** Names of tools in the registry of the worker. */
  tools: string[];
  /** Model calls of one attempt. */
  iterations: number;
  timeout: number;
}

/** A model that works in the workspace with tools. */
export const agent = executorKind({
  about: 'an `agent` executor',
  schema,
  complete: (given): AgentExecutor => ({
    kind: 'agent',
    ...(given.model === undefined ? {} : { model: given.model }),
    tools: toolNames.filter((tool) => tool === 'finish' || given.tools === undefined || given.tools.includes(tool)),
    iterations: given.iterations ?? limits.agentIterations,
    timeout: given.timeout ?? limits.agentTimeout,
  }),
  needs: ({ model }) => ({
    programs: [],
    variables: [],
    models: [model === undefined ? { role: 'executor', key: 'kind' } : { role: 'executor', name: model, key: 'model' }],
  }),
  variables: () => [],
  buildCall: ({ timeout }) => ({ kind: 'agent' as const, timeout, spends: true as const }),
  inWorkspace: true,
});
