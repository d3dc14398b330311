import { isTable } from '../input/is-table.ts';

/** Makes a path absolute, as seen from where it was said. */
export type Absolute = (path: string) => string;

/** A layer whose files and folders can be found from anywhere: who looks for them later does not know where they were said. */
export function absolutePaths(raw: Record<string, unknown>, absolute: Absolute): Record<string, unknown> {
  // What is empty, or no text, stays so, to be told as what it is.
  const toAbsolute = (path: unknown): unknown => (typeof path === 'string' && path !== '' ? absolute(path) : path);
  const { providers, sandbox } = raw;
  return {
    ...raw,
    ...(isTable(providers) ? { providers: withScripts(providers, toAbsolute) } : {}),
    ...(isTable(sandbox) && Array.isArray(sandbox['read'])
      ? { sandbox: { ...sandbox, read: sandbox['read'].map(toAbsolute) } }
      : {}),
  };
}

function withScripts(providers: Record<string, unknown>, toAbsolute: (path: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [
      name,
      isTable(provider) && Object.hasOwn(provider, 'script')
        ? { ...provider, script: toAbsolute(provider['script']) }
        : provider,
    ]),
  );
}
