import type { FrozenConfig, ResolvedConfig } from '../../domain/config/layers.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { estimatePlan } from '../../domain/planner/estimate-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { compileTask, noPlannerReason } from '../../domain/process/compile-task.ts';
import type { CheckedPlan } from '../../domain/schema/plan-schema.ts';
import type { PlanningRules, PlanPreview } from '../../domain/types/planner.ts';
import type { ProcessView } from '../../domain/types/process.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { isTrustedIdentity } from '../config/trusted-folder.ts';
import { resolveTaskConfig } from '../config/resolve-task-config.ts';
import { checkInputPaths } from '../process/check-input-paths.ts';
import { readTaskProcess } from '../process/task-process.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { findTaskConfig } from './find-task-config.ts';

/** The process that a task follows: its content as JSON, and why no planner fills its phases. */
export interface FollowedProcess {
  view: ProcessView;
  definition: unknown;
  degraded?: string;
}

/** The plan of a task under its config: the one that was sent, or that of its process. */
export interface ResolvedPlan {
  plan: CheckedPlan;
  raw: unknown;
  resolved: ResolvedConfig;
  followed?: FollowedProcess;
}

/** Resolves the config of a task, and its process to a plan. Throws everything that is wrong with either. */
export async function resolvePlan(
  sent: unknown,
  plan: CheckedPlan,
  { secrets, workspace, root }: { secrets: Secrets; workspace: string; root: string },
): Promise<ResolvedPlan> {
  const place = { env: secrets.environment, workspace, root };
  const config = await resolveTaskConfig(sent, place);
  const read = await readTaskProcess(sent, {
    ...{ env: place.env, workspace, paths: config.values.processes?.paths ?? [] },
    isTrusted: (identity) => isTrustedIdentity(sent, identity, root),
  });
  if (read === undefined) {
    const resolved = await findTaskConfig(sent, plan, { secrets, config, process: undefined });
    return { plan, raw: sent, resolved };
  }
  const { process, view } = read;
  const compiled = compileTask(process, sent, config);
  await checkInputPaths(process.checked.inputs ?? {}, compiled.values, workspace);
  const isStrict = view.mode === 'strict';
  const first = compiled.phases;
  const resolved = await findTaskConfig(first.raw, first.plan, { secrets, config, process: compiled.process });
  const followed = { view, definition: process.definition };
  if (isStrict) return { ...first, resolved, followed };
  return { ...compiled.phases, resolved, followed: { ...followed, degraded: noPlannerReason } };
}

/** The part of a task's settings about its process. Phases that no planner fills are asked about, or refused, as the plan says. */
export async function freezeProcess(
  { view, definition, degraded }: FollowedProcess,
  { degraded: rule }: PlanningRules,
  store: Pick<Store, 'put'>,
): Promise<Pick<TaskSettings, 'process'> & Partial<Pick<TaskSettings, 'planApproval'>>> {
  if (degraded !== undefined && rule === 'deny')
    throw new HeddleError({
      code: 'PLAN_NOT_MADE',
      message: `No usable plan could be made: ${degraded}`,
      where: 'planning.degraded',
      hint: 'Add `planner` to `roles` of a model in heddle.toml, or let the phases run as they are: `planning.degraded: allow`.',
    });
  const stored = await store.put(JSON.stringify(definition));
  const why = degraded === undefined ? {} : { degraded };
  return {
    process: { ...view, definition: stored, ...why },
    ...(degraded !== undefined && rule === 'require-approval' ? { planApproval: true } : {}),
  };
}

/** The plan of a process that needs no planner, for a task that was started for its plan alone. */
export function previewPlan(
  raw: unknown,
  subtasks: readonly Subtask[],
  { models }: Pick<FrozenConfig, 'models'>,
): PlanPreview {
  const { executor, subtasks: entries } = isPlainObject(raw) ? raw : {};
  return {
    ...(executor === undefined ? {} : { executor }),
    subtasks: Array.isArray(entries) ? entries : [],
    estimate: estimatePlan(subtasks, models),
  };
}
