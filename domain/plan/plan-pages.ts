import type { ContextRules } from '../types/basic/compaction-rules.ts';
import type { Model } from '../types/llm.ts';
import type { PromptChanges } from '../types/basic/prompt-sections.ts';
import type { PlanPageContent } from '../types/plan.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { Subtask } from '../types/subtask.ts';
import { listVariables } from '../executors/kinds.ts';
import { planLimits } from '../input/limits.ts';
import { listServerVariables } from '../servers/server-variables.ts';
import type { ToolServer } from '../types/basic/tool-server.ts';
import type { Guards } from './select-guards.ts';

/** Tens of megabytes are measured here, which takes the engine's own encoder milliseconds. */
const encoder = new TextEncoder();
const countBytes = (text: string): number => encoder.encode(text).byteLength;

/** A page that is not stored yet. */
export interface PageDraft {
  from: number;
  count: number;
  /** A `PlanPageContent` as JSON. */
  text: string;
}

/** The definitions of a plan as pages, with their sizes. */
export interface PagedDefinitions {
  pages: PageDraft[];
  /** All definitions as JSON. */
  bytes: number;
  /** The size of the names of all variables, which every page repeats. */
  variableBytes: number;
  /** The size of the models, which every page repeats. */
  modelBytes: number;
  /** The size of the guards. */
  guardBytes: number;
  /** The size of the prompt changes. */
  promptBytes: number;
}

/** The head of every page. */
interface Shared {
  /** Variables whose values need no redaction. */
  harmless?: readonly string[] | undefined;
  /** Models that agents of the plan may use. */
  models?: Model[];
  guards?: Partial<Guards>;
  context?: Partial<ContextRules>;
  prompts?: PromptChanges;
  projectNotes?: Ref | undefined;
  /** Servers of tools that agents of the plan may use. */
  servers?: ToolServer[];
  /** Variables of commands, by the inputs of a process. */
  inputs?: Record<string, string>;
}

/** Cuts the definitions into pages in the order of the plan. A subtask that exceeds a page has one for itself. */
export function pageDefinitions(
  goal: string,
  subtasks: readonly Subtask[],
  {
    harmless = [],
    models = [],
    guards = {},
    context = {},
    prompts = {},
    projectNotes,
    servers = [],
    inputs = {},
  }: Shared = {},
): PagedDefinitions {
  const keys = models.flatMap(({ provider: { keyEnv } }) => (keyEnv === undefined ? [] : [keyEnv]));
  const ofServers = listServerVariables(servers);
  const named = new Set([...subtasks.flatMap(({ executor }) => listVariables(executor)), ...keys, ...ofServers]);
  const variables = [...named].filter((name) => !harmless.includes(name)).sort();
  const variableBytes = countBytes(JSON.stringify(variables));
  const modelBytes = countBytes(JSON.stringify(models));
  const guardBytes =
    countBytes(JSON.stringify(guards)) + (servers.length === 0 ? 0 : countBytes(JSON.stringify(servers)));
  const promptBytes = countBytes(JSON.stringify(prompts));
  const measured = { variableBytes, modelBytes, guardBytes, promptBytes };
  if (
    variableBytes > planLimits.variableBytes ||
    modelBytes > planLimits.modelBytes ||
    guardBytes > planLimits.guardBytes ||
    promptBytes > planLimits.promptBytes
  )
    return { pages: [], bytes: 0, ...measured };
  const shared = {
    goal,
    variables,
    ...(models.length === 0 ? {} : { models }),
    ...guards,
    ...(Object.keys(context).length === 0 ? {} : { context }),
    ...(Object.keys(prompts).length === 0 ? {} : { prompts }),
    ...(projectNotes === undefined ? {} : { projectNotes }),
    ...(servers.length === 0 ? {} : { servers }),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
  };
  const head = JSON.stringify(shared).slice(0, -1);
  const frame = countBytes(JSON.stringify({ ...shared, subtasks: [] } satisfies PlanPageContent));
  const pages: PageDraft[] = [];
  let open: string[] = [];
  let size = frame;
  let bytes = 0;
  const close = (end: number): void => {
    if (open.length === 0) return;
    const text = `${head},"subtasks":[${open.join(',')}]}`;
    pages.push({ from: end - open.length, count: open.length, text });
    open = [];
    size = frame;
  };
  for (const [index, subtask] of subtasks.entries()) {
    const json = JSON.stringify(subtask);
    const length = countBytes(json) + 1;
    bytes += length;
    // The size is checked before the text is built, because a long default may be repeated in thousands of subtasks.
    if (bytes > planLimits.definitionBytes) return { pages: [], bytes, ...measured };
    if (size + length > planLimits.planPageBytes) close(index);
    open.push(json);
    size += length;
  }
  close(subtasks.length);
  return { pages, bytes, ...measured };
}
