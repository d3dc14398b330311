import { placeholder } from '../../domain/judges/claims.ts';
import { literalPattern, type LiteralClaim } from '../../domain/judges/placeholder-claim.ts';
import type { ScanLimits } from '../../domain/types/judgement.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';
import { readFileContent } from '../verify/files/read-file.ts';
import type { TextInspector } from '../verify/inspect/text-inspector.ts';
import type { Evidence } from './gather-view.ts';

/** The finding of files about the claim that a placeholder is left: it is there, it is nowhere, or not all was looked at. */
export type Scan = 'confirmed' | 'contradicted' | 'uncovered';

/** Only what was looked at as a whole can contradict a judge: in doubt the claim stands. */
export async function scanForPlaceholders(
  evidence: Pick<Evidence, 'root' | 'files' | 'isIncomplete'> & { output: string },
  { literals, paths }: LiteralClaim,
  { caps, inspector, signal }: { caps: ScanLimits; inspector: TextInspector; signal: AbortSignal },
): Promise<Scan> {
  const deadline = performance.now() + caps.time;
  const places = await resolvePlaces(evidence, paths);
  if (places === undefined) return 'uncovered';
  let isWhole = !evidence.isIncomplete && places.length <= caps.files;
  let left = caps.bytes;
  const texts = evidence.output === '' ? 0 : 1;
  const pattern = [placeholder, literalPattern(literals)].join('|');
  const isIn = async (text: string): Promise<boolean | undefined> => {
    const inspected = await inspector.inspect({ kind: 'pattern', text, pattern, most: 1 });
    return inspected.end === 'done' ? inspected.findings.length > 0 : undefined;
  };
  if (texts === 1 && (await isIn(evidence.output)) !== false) return 'confirmed';
  for (const real of places.slice(0, caps.files)) {
    signal.throwIfAborted();
    const content = await readFileContent(real, Math.min(caps.fileBytes, left));
    if (content.kind !== 'text' || performance.now() > deadline) {
      isWhole = false;
      continue;
    }
    left -= content.text.length;
    const isThere = await isIn(content.text);
    if (isThere === true) return 'confirmed';
    if (isThere === undefined) isWhole = false;
  }
  return isWhole && places.length + texts > 0 ? 'contradicted' : 'uncovered';
}

/** With the files that the judge names; undefined where one of them is not there to be read. */
async function resolvePlaces(
  { root, files }: Pick<Evidence, 'root' | 'files'>,
  claimed: readonly string[],
): Promise<string[] | undefined> {
  const places = new Set(files.map(({ real }) => real));
  for (const path of claimed) {
    const place = await resolveInWorkspace(root, path);
    if (place.kind !== 'file') return undefined;
    places.add(place.real);
  }
  return [...places];
}
