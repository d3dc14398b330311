/** What the activity told of the last of several tries that failed for a time. */
export interface LastTry {
  type?: unknown;
  reruns?: number;
  outputRef?: string;
}

/** From the details of a `transient` failure: they come from outside, so nothing about them is certain. */
export function readLastTry(details: unknown): LastTry {
  if (typeof details !== 'object' || details === null) return {};
  const { type, reruns, output } = details as Record<string, unknown>;
  const sha256 = typeof output === 'object' && output !== null && 'sha256' in output ? output.sha256 : undefined;
  return {
    type,
    ...(typeof reruns === 'number' && Number.isInteger(reruns) && reruns >= 0 ? { reruns } : {}),
    ...(typeof sha256 === 'string' ? { outputRef: sha256 } : {}),
  };
}
