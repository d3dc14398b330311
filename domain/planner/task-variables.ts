import { listProviderVariables } from '../agent-clis/text-calls.ts';
import { listVariables } from '../executors/kinds.ts';
import { isPlainObject } from './plain-object.ts';
import { wholeGoal } from './planner-input.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import type { Subtask } from '../types/subtask.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { buildKnownNames } from '../config/known-names.ts';
import type { FrozenConfig } from '../config/layers.ts';
import { completeServers } from '../config/servers.ts';
import { usesServers } from '../servers/select-servers.ts';
import { listServerVariables } from '../servers/server-variables.ts';
import { planUnderConfig } from '../config/plan-under-config.ts';

/** Lists the variables that a task may be given: those of its models, and all that its executors name. */
export function listTaskVariables(
  { models, values }: Pick<FrozenConfig, 'models' | 'values'>,
  subtasks: readonly Pick<Subtask, 'executor'>[],
): string[] {
  const keys = models.flatMap(({ provider }) => listProviderVariables(provider));
  const named = subtasks.flatMap(({ executor }) => listVariables(executor));
  const { env: ofFiles = [] } = values.tools ?? {};
  const ofServers = usesServers(subtasks) ? [...listServerVariables(completeServers(values)), ...ofFiles] : [];
  return [...new Set([...keys, ...named, ...ofServers])].sort();
}

/** The same for a plan as it was written. A plan that nobody can complete is refused where it is prepared: here it names its keys alone. */
export function listPlanVariables(written: unknown, config: FrozenConfig): string[] {
  return listTaskVariables(config, completedSubtasks(written, config));
}

function completedSubtasks(written: unknown, config: FrozenConfig): readonly Subtask[] {
  const sent = isPlainObject(written) ? written : {};
  // A goal alone runs as one subtask where no plan is made of it.
  const raw = sent['subtasks'] === undefined ? wholeGoal({ raw: sent, config }) : sent;
  try {
    const parsed = parsePlan(raw, buildKnownNames(config));
    return parsed.ok ? planUnderConfig(parsed.plan, raw, config).subtasks : [];
  } catch (error) {
    if (error instanceof HeddleError) return [];
    throw error;
  }
}
