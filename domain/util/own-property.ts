/** Maps by a name that somebody else chose: a name such as `constructor` or `__proto__` is a name like any other. */
export function getOwn<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

export function setOwn<T>(entries: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(entries, name, { value, writable: true, enumerable: true, configurable: true });
}
