import type { ConfigLayer } from './config-layer.ts';
import type { Config } from './config-schema.ts';
import { isUnfinished, resolveExecutor } from './executor-resolve.ts';
import type { Problem } from './heddle-error.ts';
import { nearest } from './nearest.ts';
import type { PlannedExecutor } from './plan-executor-schema.ts';
import type { PlanPath } from './plan-problem.ts';
import { quote, valueAt } from './plan-problem.ts';

/** The place of a path in the strongest layer that has it. */
export function whereSaid(layers: readonly ConfigLayer[], path: PlanPath): string {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const layer = layers.findLast(({ raw }) => valueAt(raw, part) !== undefined);
    if (layer !== undefined) return layer.originOf(part).place;
  }
  return 'config';
}

/** Each executor as one layer over the other made it. */
export function checkExecutors(
  { executors = {} }: Config,
  layers: readonly ConfigLayer[],
): { executors: Record<string, PlannedExecutor>; problems: Problem[] } {
  const whole: Record<string, PlannedExecutor> = {};
  const problems: Problem[] = [];
  for (const [name, given] of Object.entries(executors)) {
    const resolved = resolveExecutor(name, given);
    if (isUnfinished(resolved)) {
      const { message, hint, path } = resolved;
      const where = whereSaid(layers, ['executors', name, ...path]);
      problems.push({ code: 'CONFIG_EXECUTOR_UNFINISHED', message, where, hint });
    } else whole[name] = resolved;
  }
  return { executors: whole, problems };
}

/** Names that the config itself uses must be there. */
export function checkNames(
  { executor, executors = {}, roles = {} }: Config,
  layers: readonly ConfigLayer[],
): Problem[] {
  const used: [name: string, path: PlanPath][] = [
    ...(typeof executor === 'string' ? [[executor, ['executor']] satisfies [string, PlanPath]] : []),
    ...Object.entries(roles).flatMap(([role, said]) =>
      said.executor === undefined ? [] : [[said.executor, ['roles', role, 'executor']] satisfies [string, PlanPath]],
    ),
  ];
  return used
    .filter(([name]) => !Object.hasOwn(executors, name))
    .map(([name, path]) => ({
      code: 'CONFIG_UNKNOWN_EXECUTOR',
      ...unknownName('executor', name, Object.keys(executors)),
      where: whereSaid(layers, path),
    }));
}

/** A name that nobody gave, and the one that was meant. */
export function unknownName(
  what: 'executor' | 'role',
  name: string,
  known: readonly string[],
): Required<Pick<Problem, 'message' | 'hint'>> {
  const meant = nearest(name, known);
  const add = `add a table \`[${what}s.NAME]\` to heddle.toml`;
  const message = `There is no ${what} ${quote(name)} in the config`;
  if (meant !== undefined) {
    return { message: `${message}; did you mean \`${meant}\`?`, hint: `Write \`${meant}\`, or ${add}.` };
  }
  return { message: `${message}.`, hint: `Use one of: ${known.join(', ')}; or ${add}.` };
}
