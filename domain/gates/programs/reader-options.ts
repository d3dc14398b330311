import { isCertain, mayBeOption, type ShellWord } from '../shell/words/word.ts';

/*
 * A program that only reads has options with which it writes a file or starts a program: `sort -o`, `tree -o`, `rg --pre`. So it counts as a
 * reader only with the options of this list, by their whole names: an abbreviation may mean another option in the next version.
 */

/** Options that neither write nor start anything. */
interface ReaderOptions {
  letters?: string;
  /** Letters behind which a value stands, in the same word or the next. */
  values?: string;
  /** Long names, separated by spaces. */
  long?: string;
  /** The program has no other kind of option, so a name of a file that looks like one does no harm. */
  harmless?: true;
  /** Words after the first operand are not options. */
  endsAtOperand?: true;
}

const digits = '0123456789';
const always = 'help version';

const list: ReaderOptions = {
  letters: `aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ${digits}`,
  long: 'all almost-all author escape block-size ignore-backups color directory dired classify file-type format full-time group-directories-first no-group human-readable si dereference-command-line dereference hide hyperlink indicator-style inode ignore kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive size sort time time-style tabsize width context zero',
  harmless: true,
};
const grep: ReaderOptions = {
  letters: `EFGPivwxcLloqsbHhnTuUZzaIrRy${digits}`,
  values: 'efmABCdD',
  long: 'extended-regexp fixed-strings basic-regexp perl-regexp regexp file ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-without-match files-with-matches max-count only-matching quiet silent no-messages byte-offset with-filename no-filename label line-number initial-tab null text after-context before-context context binary-files directories devices exclude exclude-from exclude-dir include recursive dereference-recursive line-buffered null-data binary',
  harmless: true,
};
const sums: ReaderOptions = {
  letters: 'bctwzrsa',
  long: 'binary check tag text ignore-missing quiet status strict warn zero algorithm length untagged raw base64',
  harmless: true,
};
// A program in a file (`-f`) may run others, so none of these takes one.
const awk: ReaderOptions = { values: 'Fv', long: 'field-separator assign', endsAtOperand: true };
const unpack: ReaderOptions = { letters: 'fqv', long: 'force quiet verbose' };

const each = (names: string, options: ReaderOptions): Record<string, ReaderOptions> =>
  Object.fromEntries(names.split(' ').map((name) => [name, options]));

const readerOptions: Readonly<Record<string, ReaderOptions>> = {
  ...each('ls dir vdir', list),
  ...each('grep egrep fgrep', grep),
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum', sums),
  ...each('awk gawk mawk nawk', awk),
  ...each('zcat bzcat xzcat', unpack),
  cat: {
    letters: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    harmless: true,
  },
  tac: { letters: 'br', values: 's', long: 'before regex separator', harmless: true },
  nl: { letters: 'p', values: 'bdfhilnsvw', long: 'body-numbering number-format number-width', harmless: true },
  head: {
    letters: `qvz${digits}`,
    values: 'nc',
    long: 'bytes lines quiet silent verbose zero-terminated',
    harmless: true,
  },
  tail: {
    letters: `fFqvz${digits}`,
    values: 'ncs',
    long: 'bytes lines follow quiet silent verbose retry pid sleep-interval zero-terminated',
    harmless: true,
  },
  wc: { letters: 'clmwL', long: 'bytes chars lines words max-line-length total files0-from', harmless: true },
  stat: { letters: 'LtfsxnqrH', values: 'c', long: 'dereference file-system format printf terse', harmless: true },
  du: {
    letters: 'abcDhHklLmPsSx0',
    values: 'dBtX',
    long: 'all apparent-size block-size bytes total dereference-args max-depth files0-from human-readable inodes dereference null no-dereference separate-dirs si summarize threshold time time-style exclude-from exclude one-file-system',
    harmless: true,
  },
  df: {
    letters: 'ahHiklmPTv',
    values: 'Btx',
    long: 'all block-size total human-readable si inodes local portability print-type output type exclude-type',
    harmless: true,
  },
  cut: {
    letters: 'nsz',
    values: 'bcdf',
    long: 'bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated',
    harmless: true,
  },
  paste: { letters: 'sz', values: 'd', long: 'delimiters serial zero-terminated', harmless: true },
  join: {
    letters: 'iz',
    values: 'aejotv12',
    long: 'check-order nocheck-order header ignore-case zero-terminated',
    harmless: true,
  },
  comm: {
    letters: '123z',
    long: 'check-order nocheck-order output-delimiter total zero-terminated',
    harmless: true,
  },
  tr: { letters: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', harmless: true },
  fold: { letters: `bs${digits}`, values: 'w', long: 'bytes spaces width', harmless: true },
  fmt: {
    letters: `cstu${digits}`,
    values: 'wpg',
    long: 'crown-margin prefix split-only tagged-paragraph uniform-spacing width goal',
    harmless: true,
  },
  column: {
    letters: 'tnxeJLd',
    values: 'scoNRTHEl',
    long: 'table separator output-separator json table-columns table-right table-name fillrows output-width table-noheadings keep-empty-lines',
    harmless: true,
  },
  expand: { letters: `ai${digits}`, values: 't', long: 'initial tabs all first-only', harmless: true },
  unexpand: { letters: `ai${digits}`, values: 't', long: 'initial tabs all first-only', harmless: true },
  rev: { harmless: true },
  tsort: { harmless: true },
  diff: {
    letters: `abBcdeEfhHinNpPqrsTtuvwyZ${digits}`,
    values: 'CDFILSUWxX',
    long: 'normal brief report-identical-files context unified ed rcs side-by-side width left-column suppress-common-lines show-c-function show-function-line label expand-tabs initial-tab tabsize suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude exclude-from starting-file from-file to-file ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines text strip-trailing-cr ifdef line-format old-line-format new-line-format unchanged-line-format old-group-format new-group-format unchanged-group-format changed-group-format minimal horizon-lines speed-large-files color palette',
    harmless: true,
  },
  cmp: { letters: 'bls', values: 'in', long: 'print-bytes ignore-initial verbose bytes quiet silent', harmless: true },
  realpath: {
    letters: 'eEmLPqsz',
    long: 'canonicalize canonicalize-existing canonicalize-missing logical physical quiet relative-to relative-base strip no-symlinks zero',
    harmless: true,
  },
  readlink: {
    letters: 'femnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
    harmless: true,
  },
  od: {
    letters: 'abcdDeEfFhHiIlLoOsvxX',
    values: 'AjNStw',
    long: 'address-radix skip-bytes read-bytes endian strings format output-duplicates width traditional',
    harmless: true,
  },
  hexdump: { letters: 'bcCdovx', values: 'nse', long: 'canonical length skip', harmless: true },
  strings: { letters: `af${digits}`, values: 'nteo', long: 'all print-file-name bytes radix encoding', harmless: true },
  jq: {
    letters: 'cnrjaSCMesR',
    long: 'compact-output null-input raw-output raw-output0 join-output ascii-output sort-keys color-output monochrome-output exit-status slurp raw-input arg argjson args jsonargs indent tab unbuffered stream stream-errors seq slurpfile rawfile',
    harmless: true,
  },
  // These have options that write or start something.
  sort: {
    letters: 'bdfghiMnRrVcCmsuz',
    values: 'kSt',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort version-sort batch-size check debug key merge stable buffer-size field-separator parallel unique zero-terminated',
  },
  uniq: {
    letters: 'cdDiuz',
    values: 'fsw',
    long: 'count repeated all-repeated skip-fields group ignore-case skip-chars unique zero-terminated check-chars',
  },
  sed: {
    letters: 'nrEsuz',
    values: 'e',
    long: 'quiet silent expression regexp-extended separate unbuffered null-data zero-terminated debug posix sandbox',
  },
  file: {
    letters: 'bhikLN0',
    long: 'brief mime mime-type mime-encoding dereference no-dereference no-pad keep-going print0',
  },
  date: {
    letters: 'uRI',
    values: 'd',
    long: 'utc universal date iso-8601 rfc-3339 rfc-email rfc-2822 resolution debug',
  },
  hostname: { letters: 'fsidIAay', long: 'fqdn long short domain ip-address all-fqdns all-ip-addresses alias' },
  // Behind the letters that take a value, the rest of the word is read as letters.
  tree: {
    letters: `adfFxpugshDrtcUivnNCASQqJXLPI${digits}`,
    long: 'noreport dirsfirst filesfirst filelimit charset gitignore prune du sort matchdirs ignore-case inodes device si timefmt',
  },
  rg: {
    letters: 'aFivwxcloqsSnNHIuULpPb0.',
    values: 'efgtTmABCjMdEr',
    long: 'regexp file glob iglob type type-not type-add type-list max-count after-context before-context context ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match only-matching quiet line-number no-line-number column heading no-heading hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-ignore-dot ignore-file fixed-strings multiline multiline-dotall pcre2 color colors sort sortr stats json max-depth maxdepth max-filesize follow text null vimgrep with-filename no-filename replace passthru trim unrestricted no-messages one-file-system threads encoding crlf max-columns max-columns-preview no-config glob-case-insensitive path-separator',
  },
  ag: {
    letters: 'acilLnrsSuvwQ',
    values: 'ABCGm',
    long: 'literal ignore-case smart-case case-sensitive hidden files-with-matches files-without-matches color nocolor group nogroup nobreak count depth ignore ignore-dir word-regexp invert-match after before context vimgrep column numbers nonumbers stats',
  },
};

/** All options of a reader must be known to do no harm. Programs that are not in the table take no options that matter. */
export function hasKnownOptions(name: string, words: readonly ShellWord[]): boolean {
  const options = Object.hasOwn(readerOptions, name) ? readerOptions[name] : undefined;
  return options === undefined || hasOnlyKnownOptions(options, words);
}

function hasOnlyKnownOptions(options: ReaderOptions, words: readonly ShellWord[]): boolean {
  const long = new Set([...(options.long ?? '').split(' '), ...always.split(' ')]);
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.text === '--') break;
    if (!isCertain(word) && options.harmless !== true && !startsAsPath(word)) return false;
    if (!word.text.startsWith('-') || word.text === '-') {
      if (options.endsAtOperand === true) break;
      continue;
    }
    const [name = ''] = word.text.slice(2).split('=');
    if (word.text.startsWith('--') ? !long.has(name) : !isCluster(word.text, options)) return false;
    if (takesNext(word.text, options)) at += 1;
  }
  return true;
}

/** `./*.txt`, `src/$name`: nothing that it may stand for begins with a dash. */
const startsAsPath = ({ text, kind, maybe }: ShellWord): boolean =>
  !maybe && (kind === 'pattern' || kind === 'open') && /^[\w./~]/.test(text);

function isCluster(text: string, { letters = '', values = '' }: ReaderOptions): boolean {
  for (const letter of text.slice(1)) {
    if (values.includes(letter)) return true;
    if (!letters.includes(letter)) return false;
  }
  return true;
}

/** The value of a short option may be the next word. */
function takesNext(text: string, { letters = '', values = '' }: ReaderOptions): boolean {
  if (text.startsWith('--')) return false;
  const at = Array.from(text.slice(1)).findIndex((letter) => values.includes(letter));
  return at !== -1 && at + 2 === text.length && !letters.includes(text.at(-1) ?? '');
}

/** Words that `find` may be given besides the programs that it starts. */
const findWords =
  /^-(?:[HLPEXdsx]|O\d|a|and|o|or|not|amin|anewer|atime|cmin|cnewer|ctime|daystart|depth|empty|exec|execdir|executable|false|follow|fstype|gid|group|ignore_readdir_race|ilname|iname|inum|ipath|iregex|iwholename|links|lname|ls|maxdepth|mindepth|mmin|mount|mtime|name|newer(?:[aBcm][aBcmt])?|nogroup|noleaf|nouser|path|perm|print|print0|printf|prune|quit|readable|regex|regextype|samefile|size|true|type|uid|used|user|wholename|writable|xdev|xtype|\d.*)$/;

/** `find` is only asked to look in these words. `words` are those that no other program gets. */
export const onlyFinds = (words: readonly ShellWord[]): boolean =>
  words.slice(1).every((word) => {
    if (!isCertain(word) && mayBeOption(word)) return false;
    return !word.text.startsWith('-') || findWords.test(word.text);
  });

/** Programs that do nothing but start another one, as long as they have no other options than these. */
const wrapperOptions: Readonly<Record<string, ReaderOptions>> = {
  ...each('sh bash dash zsh ksh ash', {
    letters: 'ceuxvnlfE',
    values: 'oO',
    long: 'norc noprofile posix login',
    endsAtOperand: true,
  }),
  ...each('timeout gtimeout', {
    letters: 'pfv',
    values: 'ks',
    long: 'kill-after signal preserve-status foreground verbose',
    endsAtOperand: true,
  }),
  nice: { letters: digits, values: 'n', long: 'adjustment', endsAtOperand: true },
  ionice: { letters: 't', values: 'cn', long: 'class classdata ignore', endsAtOperand: true },
  stdbuf: { values: 'ioe', long: 'input output error', endsAtOperand: true },
  // It has other options, which write.
  time: { letters: 'pv', values: 'f', long: 'portability verbose format', endsAtOperand: true },
  // With others they forget the variables that keep git to known repositories.
  exec: { letters: 'l', values: 'a', endsAtOperand: true },
  env: { letters: '0', values: 'C', long: 'null chdir', endsAtOperand: true },
  ...each('xargs gxargs', {
    letters: '0rtxo',
    values: 'aEdILnPsiJR',
    long: 'null no-run-if-empty verbose exit arg-file eof delimiter replace max-lines max-args max-procs max-chars',
    endsAtOperand: true,
  }),
  ...each('nohup setsid', { letters: 'wcf', long: 'wait ctty fork', endsAtOperand: true }),
};

const wrappingBuiltins = new Set('command builtin eval trap alias jobs'.split(' '));

/** Such a program does nothing besides starting others. `own` are the words that those do not get. */
export function onlyWraps(name: string, own: readonly ShellWord[]): boolean {
  if (wrappingBuiltins.has(name)) return true;
  if (name === 'find') return onlyFinds(own);
  const options = Object.hasOwn(wrapperOptions, name) ? wrapperOptions[name] : undefined;
  return options !== undefined && hasOnlyKnownOptions(options, own);
}
