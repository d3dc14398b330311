import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, posix, relative } from 'node:path';

import { foldText } from '../../domain/evidence/fold-text.ts';
import { evidenceLimits } from '../../domain/evidence/limits.ts';
import { parseSource, withoutLines, type NamedSource } from '../../domain/evidence/parse-source.ts';
import type { EvidenceSource } from '../../domain/types/basic/evidence.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';
import { sha256 } from '../system/hash-file.ts';
import { isSystemError } from '../system/system-error.ts';
import { readRevision, type GitParts } from './read-revision.ts';

/** A source as it was found. */
export interface FoundSource {
  source: EvidenceSource;
  /** Its text, folded; undefined where it cannot be read here. */
  text?: string;
  /** It was looked at, or cannot be there: a quote that is not in its text is in nothing. */
  isKnown: boolean;
  /** The file that it is. */
  real?: string;
  /** The task made it itself, as far as its own facts tell. */
  isNew?: true;
  /** The id of a commit or object. */
  object?: string;
}

export interface SourceParts extends GitParts {
  /** The folder in which the subtask works, links resolved. */
  folder: string;
  /** Folders outside of it that may be read: absolute. */
  readRoots: readonly string[];
}

/** Looks for the source of a record. Sources that only the agent's own calls have read are found among these. */
export async function findSource(text: string | undefined, parts: SourceParts): Promise<FoundSource | 'none'> {
  const named = parseSource(text);
  if ('at' in named) return findNamed(named, parts);
  return named.kind === 'none' ? 'none' : { source: { kind: 'other', at: '' }, isKnown: false };
}

async function findNamed(named: Extract<NamedSource, { at: string }>, parts: SourceParts): Promise<FoundSource> {
  switch (named.kind) {
    case 'file':
      return findFile(named.at, parts);
    case 'git':
      return findRevision(named.at, parts);
    case 'web':
    case 'artifact':
    case 'other':
      return { source: named, isKnown: false };
  }
}

async function findFile(given: string, { folder, readRoots }: SourceParts): Promise<FoundSource> {
  for (const at of new Set([given, withoutLines(given)])) {
    const place = await resolveInRoots(at, [folder, ...readRoots]);
    if (place === undefined) continue;
    const path = place.root === folder ? relative(folder, place.real) : place.real;
    const content = await readWhole(place.real, evidenceLimits.sourceBytes);
    const source: EvidenceSource = { kind: 'file', at: path };
    // A file that may not be read, or is too large, is a source all the same.
    if (content === undefined) return { source, real: place.real, isKnown: false };
    const text = content.includes(0) ? undefined : foldText(content.toString('utf8'));
    return {
      source: { ...source, sha256: sha256(content) },
      real: place.real,
      isKnown: text !== undefined,
      ...(text === undefined ? {} : { text }),
    };
  }
  // Words that name no file are a source of another kind; outside of the readable folders nobody looks.
  const isOutside = isAbsolute(given) || posix.normalize(given).startsWith('../');
  if (/\s/u.test(given) || isOutside) return { source: { kind: 'other', at: given }, isKnown: false };
  return { source: { kind: 'file', at: posix.normalize(withoutLines(given)) }, isKnown: true };
}

async function resolveInRoots(
  path: string,
  roots: readonly string[],
): Promise<{ root: string; real: string } | undefined> {
  for (const [index, root] of roots.entries()) {
    // Only absolute paths name files outside of the folder in which the subtask works.
    if (index > 0 && !isAbsolute(path)) break;
    const resolved = await realpath(root).catch(() => root);
    const place = await resolveInWorkspace(resolved, path);
    if (place.kind === 'file') return { root: index === 0 ? root : resolved, real: place.real };
  }
  return undefined;
}

/** Undefined for what is no file by now, may not be read, or is too large. */
export async function readWhole(real: string, most: number): Promise<Buffer | undefined> {
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= most ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

async function findRevision(at: string, parts: SourceParts): Promise<FoundSource> {
  const revision = await readRevision(at, parts);
  const source: EvidenceSource = { kind: 'git', at };
  if (revision === 'unreadable') return { source, isKnown: false };
  if (revision === 'missing') return { source, isKnown: true };
  const { text, object, isNew } = revision;
  return { source, text: foldText(text), object, isKnown: true, ...(isNew ? { isNew: true as const } : {}) };
}
