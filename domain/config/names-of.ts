import type { KnownNames } from '../plan/names.ts';
import type { ResolvedConfig } from './layers.ts';

/** The names that a plan may use under this config. */
export function namesOf({ values, executors }: ResolvedConfig): KnownNames {
  const roles = Object.entries(values.roles ?? {});
  return {
    executors: Object.keys(executors),
    roles: new Map(roles.map(([name, { executor }]) => [name, { runs: executor !== undefined }])),
    hasExecutor: values.executor !== undefined,
  };
}
