import type { EvidenceSource } from '../types/basic/evidence.ts';

/** A source as a record names it. `none` says that the claim was looked for in vain. */
export type NamedSource = { kind: 'none' | 'unnamed' } | { kind: EvidenceSource['kind']; at: string };

const address = /^https?:\/\/\S+$/iu;
const artifact = /^af_[A-Za-z0-9_-]+$/u;
const revision = /^git:(\S+)$/u;

/** A path has no line break, and either a slash, a file extension or no space. */
const path = /^(?:[^\s\0]+|[^\0\r\n]*(?:\/|\.[A-Za-z0-9]{1,10}$)[^\0\r\n]*)$/u;

/** Sorts the text of a source. A path is sorted further where the file can be looked at. */
export function parseSource(text: string | undefined): NamedSource {
  const at = text?.normalize('NFC').trim() ?? '';
  if (at === '') return { kind: 'unnamed' };
  if (at.toLowerCase() === 'none') return { kind: 'none' };
  if (address.test(at)) return { kind: 'web', at: foldAddress(at) };
  if (artifact.test(at)) return { kind: 'artifact', at };
  const [, rev] = revision.exec(at) ?? [];
  if (rev !== undefined) return { kind: 'git', at: rev };
  return { kind: path.test(at) ? 'file' : 'other', at };
}

/** Two spellings of one address are equal: the fragment names a place in a page, and an empty path is `/`. */
export function foldAddress(text: string): string {
  const [whole = text] = text.split('#');
  const [, scheme = '', rest = ''] = /^(https?:\/\/[^/?]*)(.*)$/iu.exec(whole) ?? [];
  if (scheme === '') return whole;
  return `${scheme.toLowerCase()}${rest === '' ? '/' : rest}`;
}

/** A path without the lines that it names: `src/a.ts:12-20`, `src/a.ts#L3`. */
export const withoutLines = (at: string): string => at.replace(/(?::\d+(?:[-:]\d+)?|#L?\d+(?:-L?\d+)?)$/u, '');
