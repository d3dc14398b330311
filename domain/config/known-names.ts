import type { KnownNames } from '../plan/names.ts';
import { hasPlanner } from './check-planner.ts';
import type { FrozenConfig } from './layers.ts';

/** Lists the names that a plan may use under this config. */
export function buildKnownNames({ values, executors, models }: FrozenConfig): KnownNames {
  const roles = Object.entries(values.roles ?? {});
  return {
    executors: Object.keys(executors),
    roles: new Map(roles.map(([name, { executor }]) => [name, { runs: executor !== undefined }])),
    hasExecutor: values.executor !== undefined,
    plans: hasPlanner(models),
    servers: Object.keys(values.mcp ?? {}),
    ownTools: (values.tools?.files ?? []).length > 0,
  };
}
