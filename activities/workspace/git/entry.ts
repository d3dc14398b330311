import type { PathKey } from './path-key.ts';
import type { LeftOut, Meta } from './snapshot.ts';

/** A file or link as a snapshot holds it. */
export interface TreeEntry {
  kind: 'file' | 'link';
  /** The blob's id. */
  oid: string;
  permissions: number;
}

/** Entries as text, to be compared: equal when bytes, kind and permissions are. `''` is "not there". */
export type EntryText = string;

export const nothing: EntryText = '';

export function entryText(meta: Meta, path: PathKey, mode: string, oid: string): EntryText {
  // A repository is never a part of a snapshot.
  if (mode === '000000' || mode === '160000') return nothing;
  if (mode === '120000') return `link ${oid}`;
  return `file ${oid} ${findPermissions(meta, path, mode).toString(8)}`;
}

/** A large file has no blob; only whether it is still the same can be told. */
export const largeText = (stamp: string): EntryText => `large ${stamp}`;

export const isLargeText = (text: EntryText): boolean => text.startsWith('large ');

/** A folder that is left out has no blob either. `ignored`: the user's own rules leave it out too. */
export const leftOutText = ({ stamp, ignored }: LeftOut): EntryText =>
  stamp === null ? nothing : `${ignored ? 'ignored' : 'generated'} ${stamp}`;

export const isLeftOutText = (text: EntryText): boolean => /^(?:ignored|generated) /.test(text);

export const isIgnoredText = (text: EntryText): boolean => text.startsWith('ignored ');

/** A folder of a copy that could not be merged; each of them is a state of its own. */
export const unmergedText = (at: string): EntryText => `unmerged ${at}`;

export const isUnmergedText = (text: EntryText): boolean => text.startsWith('unmerged ');

/** Undefined for what is not there or not held. */
export function parseEntry(text: EntryText): TreeEntry | undefined {
  const [kind, oid = '', permissions = '0'] = text.split(' ');
  if (kind !== 'file' && kind !== 'link') return undefined;
  return { kind, oid, permissions: parseInt(permissions, 8) };
}

/** As git writes it into an index. */
export function gitMode({ kind, permissions }: TreeEntry): string {
  if (kind === 'link') return '120000';
  return (permissions & 0o100) === 0 ? '100644' : '100755';
}

function findPermissions(meta: Meta, path: PathKey, mode: string): number {
  const own = Object.hasOwn(meta.modes, path) ? meta.modes[path] : undefined;
  return own ?? (mode === '100755' ? meta.usual.program : meta.usual.file);
}
