/** Reads a map with names of foreign origin, where `constructor` or `__proto__` is a name like any other. */
export function getOwn<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

export function setOwn<T>(entries: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(entries, name, { value, writable: true, enumerable: true, configurable: true });
}
