const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes a path absolute, as seen from where it was said. */
export type Absolute = (path: string) => string;

/** A layer whose scripts can be found from anywhere: who reads them later does not know where they were said. */
export function absoluteScripts(raw: Record<string, unknown>, absolute: Absolute): Record<string, unknown> {
  const { providers } = raw;
  if (!isTable(providers)) return raw;
  const found = Object.entries(providers).map(([name, provider]) => {
    if (!isTable(provider)) return [name, provider];
    const { script } = provider;
    // What is empty stays so, to be told as what it is.
    return [name, typeof script === 'string' && script !== '' ? { ...provider, script: absolute(script) } : provider];
  });
  return { ...raw, providers: Object.fromEntries(found) };
}
