import type { GateFacts } from '../types/basic/gate.ts';
import { findDownloads } from './dangers/downloads.ts';
import { unpackedBy, unpackedInPlace } from './dangers/unpacked-files.ts';
import { ask, quoteWord, type GateFinding } from './findings/finding.ts';
import { findScript } from './interpreters.ts';
import type { UsedPath } from './findings/places.ts';
import { isBelow } from './shell/words/paths.ts';
import type { ProgramCall, CommandReading } from './shell/words/command-reading.ts';
import { programName, type ShellWord } from './shell/words/word.ts';
import { movedFiles } from './programs/moved-files.ts';
import { readGlob } from '../text/glob.ts';
import { listOwnFiles, startedFiles } from './programs/started-files.ts';

/* A file that a command writes and then starts is code in the command, in two steps. */

/** The files that a command writes. */
export interface Written {
  /** Files by place, and whether they come from the network. */
  files: Map<string, boolean>;
  /** Files below these folders may come from the network. */
  fetched: Set<string>;
}

type Resolve = GateFacts['resolve'];

export function findWritten(
  calls: readonly { call: ProgramCall; uses: readonly UsedPath[] }[],
  { files }: Pick<CommandReading, 'files'>,
  resolve: Resolve,
): Written {
  const written: Written = { files: new Map(), fetched: new Set() };
  const placesOf = (word: ShellWord, folders: readonly string[]): string[] =>
    word.kind === 'plain' ? folders.map((folder) => resolve(word.text, folder)) : [];
  const note = (word: ShellWord, folders: readonly string[], network: boolean): void => {
    for (const place of placesOf(word, folders)) written.files.set(place, network || written.files.get(place) === true);
  };
  for (const { call, uses } of calls) {
    for (const { word, role, folders } of uses) if (role === 'writes') note(word, folders, call.network);
    const downloads = findDownloads(programName(call.words[0]?.text ?? ''), call.words);
    for (const word of downloads.files) note(word, call.folders, true);
    for (const word of downloads.folders) for (const place of placesOf(word, call.folders)) written.fetched.add(place);
  }
  const fetches = calls.some(({ call }) => call.network);
  for (const { word, writes, folders } of files) if (writes) note(word, folders, fetches);
  const isFetched = (word: ShellWord, folders: readonly string[]): boolean =>
    placesOf(word, folders).some((place) => written.files.get(place) === true);
  for (const { call } of calls) {
    const name = programName(call.words[0]?.text ?? '');
    for (const word of unpackedInPlace(name, call.words))
      if (isFetched(word, call.folders)) note({ ...word, text: word.text.replace(/\.\w+$/, '') }, call.folders, true);
    for (const { from, to } of movedFiles(name, call.words))
      if (isFetched(from, call.folders)) for (const word of to) note(word, call.folders, true);
  }
  for (const { call } of calls) for (const place of unpackedPlaces(call, written, placesOf)) written.fetched.add(place);
  return written;
}

/** The places at which an archive from the network is unpacked. */
function unpackedPlaces(
  { words, folders, network }: ProgramCall,
  { files }: Written,
  placesOf: (word: ShellWord, folders: readonly string[]) => string[],
): string[] {
  const unpacked = unpackedBy(programName(words[0]?.text ?? ''), words);
  if (unpacked === undefined) return [];
  const isFetched = unpacked.archives.some((word) =>
    placesOf(word, folders).some((place) => files.get(place) === true),
  );
  return network || isFetched ? placesOf(unpacked.folder, folders) : [];
}

/** The findings about starting a file that the command itself writes. */
export function writtenFindings(name: string, call: ProgramCall, written: Written, resolve: Resolve): GateFinding[] {
  const [program] = call.words;
  const script = findScript(name, call.words);
  const started = [
    ...(program?.text.includes('/') === true ? [program] : []),
    ...(script === undefined ? [] : [script]),
  ];
  const fetched = [
    ...startedFiles(name, call.words).filter((word) => isFetched(word, call, written, resolve)),
    // A whole repository may be built.
    ...listOwnFiles(name).filter(({ text }) =>
      call.folders.some((folder) => written.files.get(resolve(text, folder)) === true),
    ),
  ];
  return [
    ...started.flatMap((word) => {
      if (isFetched(word, call, written, resolve)) return [runsFetched(word)];
      const places = call.folders.map((folder) => resolve(word.text, folder));
      const isOwn = places.some((place) => written.files.has(place));
      return isOwn ? [ask('code', `It runs ${quoteWord(word.text)}, which it writes itself.`)] : [];
    }),
    ...fetched.map(runsFetched),
  ];
}

const runsFetched = ({ text }: ShellWord): GateFinding =>
  ask('download', `It runs ${quoteWord(text)}, which it gets from the network.`);

/** A word may be a file from the network, or a pattern that one of them fits. */
function isFetched(
  { text, kind }: ShellWord,
  { folders }: ProgramCall,
  { files, fetched }: Written,
  resolve: Resolve,
): boolean {
  const places = folders.map((folder) => resolve(text, folder));
  const isBelowOne = places.some((place) => [...fetched].some((folder) => isBelow(place, folder)));
  if (isBelowOne || places.some((place) => files.get(place) === true)) return true;
  const glob = kind === 'pattern' ? readGlob(text.split('/').at(-1) ?? '') : undefined;
  return glob !== undefined && [...files].some(([place, isOne]) => isOne && glob(place.split('/').at(-1) ?? ''));
}
