import { hasOption, readArguments } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';
import { opensFiles } from '../scripts/opens-files.ts';
import { hasKnownOptions, onlyFinds } from './reader-options.ts';

/** Programs that change nothing, unless they are told to write a file. */
const readers = new Set(
  [
    'ls dir vdir cat tac nl head tail wc grep egrep fgrep rg ag pwd echo printf true false test [ : stat file du df sort uniq cut paste join comm tr fold fmt column expand unexpand rev diff cmp basename dirname realpath readlink date find tree',
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum od hexdump strings jq seq expr sleep hostname which whereis type whoami id groups uname nproc arch uptime tty zcat bzcat xzcat tsort',
    'sed awk gawk mawk nawk',
  ].flatMap((names) => names.split(' ')),
);

/** Parts of the shell that only change the shell. */
const builtins = new Set(
  'cd pushd popd exit return break continue shift unset local read let wait trap getopts times umask ulimit shopt jobs bg fg command builtin exec eval alias unalias hash source . true false : test [ set export declare typeset readonly time mapfile readarray'.split(
    ' ',
  ),
);

/** Builtins that show all variables when they are given no names. */
const showers = new Set('set export declare typeset readonly'.split(' '));

/** Such a call is known to change nothing and to print nothing but the contents of files. */
export function isReaderCall(name: string, words: readonly ShellWord[]): boolean {
  if (showers.has(name)) return !showsVariables(words);
  if (name === 'find') return onlyFinds(words);
  const isKnown = builtins.has(name) || readers.has(name);
  return isKnown && hasKnownOptions(name, words) && !writesOperand(name, words) && !opensFiles(name, words);
}

/** Programs that change something by an operand, without any option. */
function writesOperand(name: string, words: readonly ShellWord[]): boolean {
  if (name === 'hostname' || name === 'date')
    return readArguments(words, { values: 'd' }).operands.some(({ text }) => !text.startsWith('+'));
  // A pattern may stand for two files, of which the second is written.
  return (
    name === 'uniq' &&
    readArguments(words, { values: 'fsw' }).operands.some(({ kind, maybe }) => kind !== 'plain' || maybe)
  );
}

function showsVariables(words: readonly ShellWord[]): boolean {
  const { options, operands } = readArguments(words);
  return (words.length === 1 || hasOption(options, { letter: 'p' })) && operands.length === 0;
}
