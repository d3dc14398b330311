import { isTable } from '../input/is-table.ts';

/** A table with a `kind` or a `preset` replaces a weaker one; other tables change single keys of it. */
const standsAlone = (table: Record<string, unknown>): boolean =>
  Object.hasOwn(table, 'kind') || Object.hasOwn(table, 'preset');

/** The weaker value first. Tables are merged key by key, lists and single values replaced; only the rules of `gates` add up. */
export function mergeConfig<T extends object>(weakest: T, ...stronger: readonly Partial<T>[]): T {
  let merged = weakest;
  for (const layer of stronger) merged = mergeTables(merged, layer, mergeTop);
  return merged;
}

/** Merges a value over a weaker one of the same key. */
type Merge = (below: unknown, value: unknown, key: string) => unknown;

function mergeTables<T extends object>(weak: T, strong: Partial<T>, merge: Merge): T {
  const merged: T = { ...weak };
  for (const [key, value] of Object.entries<unknown>(strong)) {
    const below: unknown = Object.hasOwn(weak, key) ? Reflect.get(weak, key) : undefined;
    Reflect.set(merged, key, merge(below, value, key));
  }
  return merged;
}

const mergeTop: Merge = (below, value, key) =>
  key === 'gates' && isTable(value) && isTable(below)
    ? mergeTables(below, value, addUp)
    : mergeInside(below, value, key);

const mergeInside: Merge = (below, value) =>
  isTable(value) && isTable(below) && !standsAlone(value) ? mergeTables(below, value, mergeInside) : value;

/** Rules add up, because a project must not lift what its user denies or wants to be asked about. */
const addUp: Merge = (below, value) => (isList(below) && isList(value) ? [...new Set([...below, ...value])] : value);

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
