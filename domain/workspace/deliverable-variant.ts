/** Endings that people append to a name when they do not want to touch the file. */
const marks =
  'v|ver|version|rev|revised|copy|draft|final|updated|new|old|bak|backup|orig|original|fixed|latest|corrected|improved|edited|modified|amended|revision|finalized|temp|tmp|alt';
const addition = new RegExp(
  // `-final`, `_v2`, `-final-2`, ` copy 2`; ` (copy)`, `(2)`; `~`.
  String.raw`^(?:(?:[-_. ](?:${marks})[-_.]?\d*(?:[-_. ]\d+)*)+|[-_ ]?\((?:(?:${marks})[ _-]?\d*|\d+)\)|~)$`,
  'i',
);

/** Beginnings that people put before a name instead: `copy-of-`, `new_`, `Final `. */
const prefix =
  /^(?:(?:copy of|copy|new|final|updated|revised|fixed|corrected|improved|old|backup|bak|draft|tmp|temp)[-_. ]+(?:of[-_. ]+)?)+$/i;

/**
 * Finds the deliverable of which a path is a variant: `notes.md` for `notes-v2.md`. A retry works on the file itself, since with variants
 * it would be unclear which one counts. Undefined for a deliverable's own name. Paths are relative to the workspace.
 */
export function deliverableBehind(path: string, deliverables: readonly string[]): string | undefined {
  const written = plain(path);
  const named = deliverables.map(plain);
  return named.includes(written) ? undefined : named.find((deliverable) => isVariant(written, deliverable));
}

/** A suffix comes before a dot of the name, or at its end. */
function isVariant(path: string, deliverable: string): boolean {
  const start = deliverable.lastIndexOf('/') + 1;
  const name = deliverable.slice(start);
  const isInFolder = path.startsWith(deliverable.slice(0, start)) && path.endsWith(name);
  if (isInFolder && prefix.test(path.slice(start, -name.length))) return true;
  for (let at = start + 1; at <= deliverable.length; at += 1) {
    if (at < deliverable.length && deliverable[at] !== '.') continue;
    const [before, behind] = [deliverable.slice(0, at), deliverable.slice(at)];
    if (path.length <= deliverable.length || !path.startsWith(before) || !path.endsWith(behind)) continue;
    if (addition.test(path.slice(at, path.length - behind.length))) return true;
  }
  return false;
}

const plain = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
