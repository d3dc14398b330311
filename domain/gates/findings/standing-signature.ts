import { limits } from '../../limits/domain-limits.ts';
import type { Danger } from '../../types/basic/gate.ts';

/** Dangers that a person may allow for good; everything else is asked each time. */
const graduates: ReadonlySet<Danger> = new Set<Danger>([
  ...(['outside', 'code', 'program', 'permissions', 'web', 'tool', 'rule'] as const),
]);

const form = new RegExp(`^gate:(?:${[...graduates].join('|')}):[!-~](?:[ -~]*[!-~])?$`);

export const isGateSignature = (text: string): boolean => text.length <= limits.gates.signature && form.test(text);

/**
 * The text that is kept in the memory of the project when a person allows something for good: `gate:program:npm run test`. Null where such a thing is
 * asked each time, and where its name has no short and printable form: a cut one would allow others too.
 */
export function buildSignature(danger: Danger, scope: string): string | null {
  const text = `gate:${danger}:${scope}`;
  return isGateSignature(text) ? text : null;
}

/** Printable, whatever the folder is called. */
const buildSuffix = (workspace: string): string => ` @ ${encodeURI(workspace)}`;

/**
 * As it stands in the memory of a project, which tasks of several folders may share: an answer holds for the folder that it was given in. Null
 * where the two together are too long.
 */
export function bindSignature(signature: string, workspace: string): string | null {
  const bound = `${signature}${buildSuffix(workspace)}`;
  return isGateSignature(bound) ? bound : null;
}

/** The meaning of a signature of the memory to a task in this folder; null: it was given in another one. */
export function signatureAt(bound: string, workspace: string): string | null {
  const suffix = buildSuffix(workspace);
  return bound.endsWith(suffix) ? bound.slice(0, -suffix.length) : null;
}
