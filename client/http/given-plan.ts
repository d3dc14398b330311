import { isAbsolute } from 'node:path';
import { convertYaml } from '../../domain/input/convert-yaml.ts';
import { parseYaml } from '../../domain/input/parse-yaml.ts';
import type { PlanText } from '../../domain/input/plan-source.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { TaskConfig } from '../start/task-config.ts';
import type { AppParts } from './app-parts.ts';
import { checkWorkspace, noEnvironment } from './workspace.ts';

export type GivenPlan = string | Record<string, unknown>;

/** A plan of a request as text: objects as JSON, which is YAML too. */
export const planText = (plan: GivenPlan): PlanText => ({
  name: 'plan',
  text: typeof plan === 'string' ? plan : JSON.stringify(plan),
});

/** The folder that a plan names; undefined where it names none. Throws `PLAN_SYNTAX`. */
export function readWorkspace(plan: GivenPlan): string | undefined {
  const source = planText(plan);
  const value = typeof plan === 'string' ? convertYaml(source, parseYaml(source)).value : plan;
  if (typeof value !== 'object' || value === null || !('workspace' in value)) return undefined;
  return typeof value.workspace === 'string' ? value.workspace : undefined;
}

/** Refuses a plan that would run in a folder that the caller does not mean, or may not use. */
export async function requireWorkspace(parts: AppParts, plan: GivenPlan): Promise<void> {
  const workspace = readWorkspace(plan);
  if (workspace === undefined || !isAbsolute(workspace))
    throw new HeddleError({
      code: 'REQUEST_INVALID',
      message: 'The plan names no absolute workspace',
      where: 'plan.workspace',
      hint: 'Add it: the server stands in no folder of yours.',
    });
  await checkWorkspace(parts, workspace);
}

/** The config of a task that is started by HTTP: nothing of the environment of the server, and no trust. */
export const configOf = (parts: AppParts): TaskConfig => new TaskConfig(noEnvironment(parts));
