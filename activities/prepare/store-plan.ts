import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { PackedPlan, PlanPage } from '../../domain/types/plan.ts';
import type { Prepared } from '../../domain/types/task-settings.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { packPlan } from '../../domain/plan/pack-plan.ts';
import { pageDefinitions, type PagedDefinitions } from '../../domain/plan/plan-pages.ts';
import { buildPlanRow } from '../../domain/plan/plan-rows.ts';
import { planLimits } from '../../domain/input/limits.ts';
import { formatBytes } from '../../domain/text/bytes.ts';
import type { Store } from '../store/store.ts';

/** The definitions in pages, or a refusal: nothing is written yet. */
export function draftPages(
  goal: string,
  subtasks: readonly Subtask[],
  shared: Parameters<typeof pageDefinitions>[2] = {},
): PagedDefinitions {
  const drafts = pageDefinitions(goal, subtasks, shared);
  const { variableBytes, modelBytes, guardBytes, promptBytes } = planLimits;
  if (drafts.variableBytes > variableBytes)
    throw tooLarge('The list of all variables that its executors name', drafts.variableBytes, variableBytes);
  if (drafts.modelBytes > modelBytes)
    throw tooLarge('The list of all models that its agents may use', drafts.modelBytes, modelBytes, {
      hint: 'Remove models from heddle.toml, or `executor` from their `roles`.',
    });
  if (drafts.guardBytes > guardBytes)
    throw tooLarge('The list of rules for its tools and commands', drafts.guardBytes, guardBytes, {
      hint: 'Remove rules from `[gates]` or folders from `[sandbox] read`, or write them shorter.',
    });
  if (drafts.promptBytes > promptBytes)
    throw tooLarge('The settings of its prompts', drafts.promptBytes, promptBytes, {
      hint: 'Write `[prompts]` in heddle.toml shorter.',
    });
  if (drafts.bytes <= planLimits.definitionBytes) return drafts;
  throw tooLarge(
    'The definitions of its subtasks, with the defaults written out',
    drafts.bytes,
    planLimits.definitionBytes,
  );
}

/** Puts the pages into the store and gives the plan, which refers to them. */
export async function storePlan(
  store: Pick<Store, 'put'>,
  subtasks: Subtask[],
  drafts: PagedDefinitions,
  version = 1,
): Promise<PackedPlan> {
  const pages: PlanPage[] = [];
  // One after the other: each waits for the disk, and a plan has few.
  for (const { from, count, text } of drafts.pages) pages.push({ ...(await store.put(text)), from, count });
  const definitions = drafts.bytes <= planLimits.shownDefinitionBytes ? subtasks : null;
  return packPlan({ version, rows: subtasks.map(buildPlanRow), pages, definitions });
}

/** Above the limit the server would refuse the result, again at each try. */
export function checkPrepared(prepared: Prepared): Prepared {
  const bytes = jsonBytes(prepared);
  if (bytes <= planLimits.preparedBytes) return prepared;
  const { plan, settings, reuse } = prepared;
  const parts: [string, number][] = [
    ['The data about its subtasks that the rules need', jsonBytes(plan.rows) + jsonBytes(plan.kinds)],
    ['Its executors', jsonBytes(plan.calls)],
    ['The ladders of its subtasks', jsonBytes(plan.ladders)],
    ['The recovery overrides of its subtasks', jsonBytes(plan.recoveries)],
    ['The names of its deliverables', jsonBytes(plan.deliverables)],
    ['The finished work of an earlier task', jsonBytes(reuse)],
    ['Its settings', jsonBytes(settings)],
  ];
  const [largest] = parts.sort(([, a], [, b]) => b - a);
  const others = bytes - (largest?.[1] ?? 0);
  throw tooLarge(largest?.[0] ?? 'The data that it carries', largest?.[1] ?? bytes, planLimits.preparedBytes, {
    others,
  });
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const shorter =
  'Put long texts into files in the workspace and name the files. Set values that all subtasks share in the plan, or split it into several tasks.';

function tooLarge(what: string, bytes: number, most: number, { others = 0, hint = shorter } = {}): HeddleError {
  const beside = others === 0 ? '' : ` beside ${formatBytes(others)} of other parts`;
  return new HeddleError({
    code: 'PLAN_TOO_LARGE',
    message: `The plan is too large: ${formatBytes(bytes)} for ${lowerFirst(what)}${beside}; together at most ${formatBytes(most)}.`,
    where: 'plan',
    hint,
  });
}

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
