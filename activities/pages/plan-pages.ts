import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { defaultGuards, type Guards } from '../../domain/plan/select-guards.ts';
import type { ContextRules } from '../../domain/types/basic/compaction-rules.ts';
import type { Model } from '../../domain/types/llm.ts';
import type { PromptChanges } from '../../domain/types/basic/prompt-sections.ts';
import type { PlanPageContent } from '../../domain/types/plan.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { listGeneratedAbove } from '../../domain/workspace/generated-folders.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';

/** The facts of a subtask that an activity needs and its input does not have. */
export interface Definition extends Guards {
  goal: string;
  subtask: Subtask;
  /** Deliverables, of all subtasks of the page, in folders that snapshots would leave out. */
  inGenerated?: string[];
  /** Names of variables whose values must not show up anywhere, of the whole task: one subtask may print what another was given. */
  variables: string[];
  /** Models of agents, as the task froze them. */
  models: Model[];
  /** Rules of compaction that the config changes. */
  context?: Partial<ContextRules>;
  /** Changes of the config to the prompts of models. */
  prompts?: PromptChanges;
  /** The project's notes for agents, as the task froze them. */
  projectNotes?: Ref;
  /** Servers of tools that its agents may use. */
  servers?: ToolServer[];
  /** The values of the inputs of a process, as variables of commands. */
  inputs?: Record<string, string>;
}

/** Pages that were read lately, the oldest first: every attempt of a plan's subtasks reads the same few. A hash never changes its meaning. */
const pages = new Map<string, { content: PlanPageContent; bytes: number }>();

/** The definition of a subtask from its page of the plan: `STORE_MISSING` or `PLAN_PAGE_WITHOUT_SUBTASK` where it is not there. */
export async function definitionFrom(store: Pick<Store, 'get'>, page: Ref, subtaskId: string): Promise<Definition> {
  const { subtasks, ...shared } = await readPage(store, page);
  const subtask = subtasks.find(({ id }) => id === subtaskId);
  if (subtask === undefined) throw withoutSubtask(page, `has no subtask "${subtaskId}"`);
  const inGenerated = subtasks.flatMap(({ deliverables }) => deliverables.filter(isInGenerated));
  return { models: [], ...defaultGuards, ...shared, subtask, inGenerated };
}

const isInGenerated = (path: string): boolean => listGeneratedAbove(path).length > 0;

/** All definitions of a plan, in its order. */
export async function loadDefinitions(store: Pick<Store, 'get'>, plan: readonly Ref[]): Promise<Subtask[]> {
  const read: Subtask[][] = [];
  // One after the other: a plan has few pages, and the last ones read are kept.
  for (const page of plan) read.push((await readPage(store, page)).subtasks);
  return read.flat();
}

async function readPage(store: Pick<Store, 'get'>, page: Ref): Promise<PlanPageContent> {
  const cachedPage = pages.get(page.sha256);
  if (cachedPage !== undefined) return cachedPage.content;
  const content: unknown = JSON.parse((await store.get(page)).toString());
  if (!isPage(content)) throw withoutSubtask(page, 'is not a page of a plan');
  keep(page, content);
  return content;
}

function keep(page: Ref, content: PlanPageContent): void {
  pages.set(page.sha256, { content, bytes: page.bytes });
  let bytes = [...pages.values()].reduce((sum, each) => sum + each.bytes, 0);
  for (const [sha256, oldest] of pages) {
    if (bytes <= activityLimits.cachedPlanBytes) return;
    pages.delete(sha256);
    bytes -= oldest.bytes;
  }
}

/** Its bytes are what was stored; this tells another version's page, or a reference to something else. */
function isPage(value: unknown): value is PlanPageContent {
  if (typeof value !== 'object' || value === null) return false;
  const { goal, variables, subtasks } = value as Partial<Record<keyof PlanPageContent, unknown>>;
  return typeof goal === 'string' && Array.isArray(variables) && Array.isArray(subtasks);
}

function withoutSubtask(page: Ref, what: string): HeddleError {
  return new HeddleError({
    code: 'PLAN_PAGE_WITHOUT_SUBTASK',
    message: `The page ${page.sha256.slice(0, 12)} of the plan ${what}`,
    hint: 'Start the task again: its plan was stored by another version of Heddle.',
  });
}
