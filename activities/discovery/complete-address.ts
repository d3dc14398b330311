/**
 * Completes the address of a service as its own tools read it: ours hold the version part, which the variable of Anthropic's tools lacks.
 * An address with a path of its own is kept where the service's tools append nothing to it.
 */
export function completeAddress(given: string, kind: 'anthropic' | 'openai' | 'openai-compatible'): string {
  const address = given.trim().replace(/\/+$/, '');
  const path = URL.parse(address)?.pathname ?? '/';
  if (path.split('/').some((part) => /^v\d/.test(part))) return address;
  return kind === 'anthropic' || path === '/' ? `${address}/v1` : address;
}
