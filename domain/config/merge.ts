const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A table that says what it is stands for itself; one that does not changes single keys of a weaker one. */
const standsAlone = (table: Record<string, unknown>): boolean =>
  Object.hasOwn(table, 'kind') || Object.hasOwn(table, 'preset');

/** The weaker value first. Tables are merged key by key, lists and single values replaced. */
export function mergeConfig<T extends object>(weakest: T, ...stronger: readonly Partial<T>[]): T {
  let merged = weakest;
  for (const layer of stronger) merged = mergeTables(merged, layer);
  return merged;
}

function mergeTables<T extends object>(weak: T, strong: Partial<T>): T {
  const merged: T = { ...weak };
  for (const [key, value] of Object.entries<unknown>(strong)) {
    const below: unknown = Object.hasOwn(weak, key) ? Reflect.get(weak, key) : undefined;
    const both = isTable(value) && isTable(below) && !standsAlone(value);
    Reflect.set(merged, key, both ? mergeTables(below, value) : value);
  }
  return merged;
}
