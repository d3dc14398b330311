import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import { planLimits } from '../input/limits.ts';
import { list, map, name, wholeNumber } from '../input/values.ts';
import { executorExpected, timeoutKey } from './keys.ts';
import { executorKind } from './kind.ts';
import { fitsPattern } from '../text/tool-name.ts';

/** Every tool that an agent can be given, in the order in which they are sent. `finish` is always included. */
export const toolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'delete_path',
  'move_path',
  'list_folder',
  'find_files',
  'search_text',
  'web_fetch',
  'read_artifact',
  'save_artifact',
  'shell',
  'git',
  'ask_user',
  'note',
  'narrate',
  'todo',
  'finish',
] as const;

export type BuiltInTool = (typeof toolNames)[number];

/** Tools that only read. */
export const readOnlyTools = [
  'read_file',
  'list_folder',
  'find_files',
  'search_text',
  'web_fetch',
  'read_artifact',
  'ask_user',
  'note',
  'narrate',
  'todo',
  'finish',
] as const satisfies readonly BuiltInTool[];

/** Tools that are there only where rules of the config open the web. */
export const webTools: ReadonlySet<string> = new Set<BuiltInTool>(['web_fetch', 'read_artifact', 'save_artifact']);

/** The names of the built-in tools, for names that come from outside. */
export const builtInToolNames: ReadonlySet<string> = new Set(toolNames);

const entryExpected = 'the name of a tool, or a pattern such as `mcp__memory__*`: letters, digits, `_`, `-` and `*`';

/** Names of tools that are not Heddle's are known when their servers have listed them. */
const toolEntry = z.string({ error: entryExpected }).regex(/^[A-Za-z0-9_*-]{1,64}$/, { error: entryExpected });

const schema = map(
  {
    /**
     * A model works in the workspace with tools.
     *
     * @see `docs/agent.md`
     */
    kind: z.literal('agent'),
    /**
     * Model of every rung, by its name in the config.
     *
     * @defaultValue chosen by the tier of the rung, among those that serve `executor`
     */
    model: name('the name of a model').exactOptional(),
    /**
     * Tools that it may use, by their names or by patterns with `*`; `finish` is always there.
     *
     * @defaultValue all
     * @see `docs/tools.md`
     */
    tools: list(toolEntry, 'a list of names of tools').exactOptional(),
    /**
     * Model calls of one attempt.
     *
     * @defaultValue 20
     */
    iterations: wholeNumber(1, planLimits.iterations).exactOptional(),
    /**
     * Time limit of an attempt.
     *
     * @defaultValue `20m`
     */
    timeout: timeoutKey,
  },
  executorExpected,
);

export interface AgentExecutor {
  kind: 'agent';
  /** The model's name in `heddle.toml`; by default the router chooses by tier. */
  model?: string;
  /** Names of tools in the registry of the worker. */
  tools: string[];
  /** Names and patterns of tools of servers; absent: all that the task has. */
  foreign?: string[];
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
    tools: toolNames.filter((tool) => tool === 'finish' || given.tools === undefined || fitsPattern(tool, given.tools)),
    ...(given.tools === undefined ? {} : { foreign: given.tools.filter((tool) => !builtInToolNames.has(tool)) }),
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
