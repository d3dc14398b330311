import type { ConfigLayer } from './layer.ts';
import type { Config } from '../schema/config-schema.ts';
import { isExecutorProblem, resolveExecutor } from '../executors/resolve-executor.ts';
import type { Problem } from '../errors/heddle-error.ts';
import type { PlannedExecutor } from '../executors/kinds.ts';
import { mergeConfig } from './merge.ts';
import type { PlanPath } from '../input/problem.ts';
import { unknownName, valueAt } from '../input/problem.ts';

/** Returns the place of a path in the strongest layer that has it. */
export function locateValue(layers: readonly ConfigLayer[], path: PlanPath): string {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const layer = layers.findLast(({ raw }) => valueAt(raw, part) !== undefined);
    if (layer !== undefined) return layer.originOf(part).place;
  }
  return 'config';
}

/** Resolves each executor from all layers together. */
export function checkExecutors(
  { executors = {} }: Config,
  layers: readonly ConfigLayer[],
): { executors: Record<string, PlannedExecutor>; problems: Problem[] } {
  const raw = mergeConfig<Record<string, unknown>>({}, ...layers.map((layer) => layer.raw));
  const whole: Record<string, PlannedExecutor> = {};
  const problems: Problem[] = [];
  for (const [name, given] of Object.entries(executors)) {
    const resolved = resolveExecutor(name, { raw: valueAt(raw, ['executors', name]), values: given });
    if (isExecutorProblem(resolved)) {
      const { message, hint, path } = resolved;
      const where = locateValue(layers, ['executors', name, ...path]);
      problems.push({ code: 'CONFIG_EXECUTOR_UNFINISHED', message, where, hint });
    } else whole[name] = resolved;
  }
  return { executors: whole, problems };
}

/** Names that the config itself uses must exist. */
export function checkNames(
  { executor, executors = {}, roles = {} }: Config,
  layers: readonly ConfigLayer[],
): Problem[] {
  const used: [name: string, path: PlanPath][] = [
    ...(typeof executor === 'string' ? [[executor, ['executor']] satisfies [string, PlanPath]] : []),
    ...Object.entries(roles).flatMap(([role, roleConfig]) =>
      roleConfig.executor === undefined
        ? []
        : [[roleConfig.executor, ['roles', role, 'executor']] satisfies [string, PlanPath]],
    ),
  ];
  return used
    .filter(([name]) => !Object.hasOwn(executors, name))
    .map(([name, path]) => ({
      code: 'CONFIG_UNKNOWN_EXECUTOR',
      ...unknownName('executor', name, Object.keys(executors)),
      where: locateValue(layers, path),
    }));
}
