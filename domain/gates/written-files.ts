import type { GateFacts } from '../types/basic/gate.ts';
import { downloadsOf, unpackedBy } from './dangers/downloads.ts';
import { ask, quote, type Finding } from './findings/finding.ts';
import { scriptOf } from './interpreters.ts';
import type { Used } from './findings/places.ts';
import { isBelow } from './shell/words/paths.ts';
import type { Call, Sheet } from './shell/words/command-reading.ts';
import { programName, type Word } from './shell/words/word.ts';

/* A file that a command writes and then starts is code in the command, in two steps. */

/** What a command writes. */
export interface Written {
  /** Files by place, and whether they come from the network. */
  files: Map<string, boolean>;
  /** Whatever is below these may come from the network. */
  fetched: Set<string>;
}

type Resolve = GateFacts['resolve'];

export function findWritten(
  calls: readonly { call: Call; uses: readonly Used[] }[],
  { files }: Pick<Sheet, 'files'>,
  resolve: Resolve,
): Written {
  const written: Written = { files: new Map(), fetched: new Set() };
  const placesOf = (word: Word, folders: readonly string[]): string[] =>
    word.kind === 'plain' ? folders.map((folder) => resolve(word.text, folder)) : [];
  const note = (word: Word, folders: readonly string[], network: boolean): void => {
    for (const place of placesOf(word, folders)) written.files.set(place, network || written.files.get(place) === true);
  };
  for (const { call, uses } of calls) {
    for (const { word, role, folders } of uses) if (role === 'writes') note(word, folders, call.network);
    const downloads = downloadsOf(programName(call.words[0]?.text ?? ''), call.words);
    for (const word of downloads.files) note(word, call.folders, true);
    for (const word of downloads.folders) for (const place of placesOf(word, call.folders)) written.fetched.add(place);
  }
  const fetches = calls.some(({ call }) => call.network);
  for (const { word, writes, folders } of files) if (writes) note(word, folders, fetches);
  for (const { call } of calls) for (const place of unpackedPlaces(call, written, placesOf)) written.fetched.add(place);
  return written;
}

/** Where an archive from the network is unpacked. */
function unpackedPlaces(
  { words, folders, network }: Call,
  { files }: Written,
  placesOf: (word: Word, folders: readonly string[]) => string[],
): string[] {
  const unpacked = unpackedBy(programName(words[0]?.text ?? ''), words);
  if (unpacked === undefined) return [];
  const isFetched = unpacked.archives.some((word) =>
    placesOf(word, folders).some((place) => files.get(place) === true),
  );
  return network || isFetched ? placesOf(unpacked.folder, folders) : [];
}

/** What is wrong with starting a file that the command itself writes. */
export function writtenFindings(
  name: string,
  { words, folders }: Call,
  { files, fetched }: Written,
  resolve: Resolve,
): Finding[] {
  const [program] = words;
  const script = scriptOf(name, words);
  const started = [
    ...(program?.text.includes('/') === true ? [program] : []),
    ...(script === undefined ? [] : [script]),
  ];
  return started.flatMap(({ text }) => {
    const places = folders.map((folder) => resolve(text, folder));
    const found = places.map((place) => files.get(place)).filter((one) => one !== undefined);
    const mayBeFetched = places.some((place) => [...fetched].some((folder) => isBelow(place, folder)));
    if (found.includes(true) || mayBeFetched)
      return [ask('download', `It runs ${quote(text)}, which it gets from the network.`)];
    return found.length === 0 ? [] : [ask('code', `It runs ${quote(text)}, which it writes itself.`)];
  });
}
