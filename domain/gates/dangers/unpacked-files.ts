import { readArguments, listOptionValues, type Arguments, type OptionSpec } from '../shell/words/options.ts';
import { plainWord, type ShellWord } from '../shell/words/word.ts';

const here = plainWord('.');

/** Programs that unpack an archive, and the options that say where to. */
const unpackers: Readonly<Record<string, OptionSpec & { folder: { letter?: string; long?: string } }>> = {
  ...{ tar: unpacker('fCTXI', 'C'), bsdtar: unpacker('fCTXI', 'C'), gtar: unpacker('fCTXI', 'C') },
  ...{ unzip: unpacker('dxP', 'd'), cpio: unpacker('DFIO', 'D'), unrar: unpacker('', ''), ar: unpacker('', '') },
  ...{ '7z': unpacker('o', 'o'), '7za': unpacker('o', 'o'), '7zz': unpacker('o', 'o'), '7zr': unpacker('o', 'o') },
};

function unpacker(values: string, letter: string): OptionSpec & { folder: { letter?: string; long?: string } } {
  return { values, long: ['directory', 'file'], folder: { letter, long: 'directory' } };
}

/** Programs that put one file in place of a packed one, whose name is the same without its last ending. */
const inPlace = /^(?:gunzip|gzip|bunzip2|bzip2|unxz|xz|unzstd|zstd|unlz4|lz4|uncompress)$/;

/** The files of a call that unpacks in place. */
export const unpackedInPlace = (name: string, words: readonly ShellWord[]): readonly ShellWord[] =>
  inPlace.test(name) ? readArguments(words, { values: 'S' }).operands : [];

/** The archives that a call unpacks, and where to; undefined: it unpacks none. */
export function unpackedBy(
  name: string,
  words: readonly ShellWord[],
): { archives: readonly ShellWord[]; folder: ShellWord } | undefined {
  const spec = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (spec === undefined) return undefined;
  const given: Arguments = readArguments(words, spec);
  const [folder = here] = listOptionValues(given, spec.folder);
  return { archives: [...given.operands, ...given.values.map(({ word }) => word)], folder };
}
