import type { OptionSpec } from '../shell/words/options.ts';

/** The words of a program that are paths, and what it does to them. */
export interface PathUsage extends OptionSpec {
  /** So many operands, or all, are no paths. */
  data?: number | 'all';
  /** With one of these options there is no such operand. */
  dataByOption?: RegExp;
  /** Options whose values are no paths. */
  dataOptions?: RegExp;
  /** The operands that are written. */
  writes?: 'none' | 'all' | 'last' | 'second' | 'rest';
  /** Options whose values are written. */
  writeOptions?: RegExp;
  /** Only modes, owners and times of the files are changed. */
  attributes?: boolean;
}

const read: PathUsage = { writes: 'none' };
const all: PathUsage = { writes: 'all' };
const nothing: PathUsage = { data: 'all' };
const intoLast: PathUsage = {
  ...{
    values: 'tSgomZ',
    long: ['target-directory', 'suffix', 'mode', 'owner', 'group', 'backup', 'exclude', 'include'],
  },
  ...{ writes: 'last', dataOptions: /^(?:-[Sgom]|--(?:su|m|ow|gr|b|ex|inc))/, writeOptions: /^(?:-t|--t)/ },
};
const grep: PathUsage = {
  ...{
    values: 'efmABCdD',
    long: ['regexp', 'file', 'include', 'exclude', 'exclude-dir', 'max-count', 'context', 'color'],
  },
  ...{
    data: 1,
    dataByOption: /^(?:-[a-zA-Z]*[ef]|--reg|--file)/,
    dataOptions: /^(?:-[emABCdD]|--(?:reg|inc|exc|max|con|col))/,
  },
  writes: 'none',
};
const zips: PathUsage = { ...all, values: 'S' };

const each = (names: string, usage: PathUsage): Record<string, PathUsage> =>
  Object.fromEntries(names.split(' ').map((name) => [name, usage]));

/** Programs that are known; of others, each word may be a path that they write. */
export const usages: Readonly<Record<string, PathUsage>> = {
  ...each(
    'echo printf : true false test [ expr date basename dirname seq sleep kill pkill killall exit return break continue shift set unset export local declare typeset readonly read let umask type which whereis man help hash alias unalias trap wait jobs bg fg ulimit shopt whoami id uname hostname nproc uptime free ps yes tr eval getopts times logname tty locale arch groups',
    nothing,
  ),
  ...each(
    'cat tac nl ls ll dir vdir tree wc od hexdump strings stat file du df realpath readlink md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum diff cmp less more bat zcat bzcat xzcat comm cd pushd chdir fold fmt column expand unexpand tsort rev pr source . lsof lsblk ldd nm objdump readelf size',
    read,
  ),
  ...{
    head: { ...read, values: 'nc' },
    tail: { ...read, values: 'nc' },
    cut: { ...read, values: 'dfbc', dataOptions: /^-/ },
  },
  ...{ paste: { ...read, values: 'd', dataOptions: /^-/ }, join: { ...read, values: 'taejo12', dataOptions: /^-/ } },
  ...each('grep egrep fgrep zgrep', grep),
  ...each('rg ag ack', {
    ...grep,
    values: 'efgtTmABCjMd',
    dataOptions: /^(?:-[egtTmABCjMd]|--(?:reg|glob|type|max|con|col|sort|iglob))/,
    long: ['regexp', 'file', 'glob', 'iglob', 'type', 'max-count', 'context', 'sort'],
  }),
  ...each('awk gawk mawk nawk', { ...read, values: 'Fvf', data: 1, dataByOption: /^-f/, dataOptions: /^-[Fv]/ }),
  ...each('jq yq', {
    ...read,
    values: 'fL',
    long: ['arg', 'argjson', 'indent'],
    data: 1,
    dataByOption: /^-f/,
    dataOptions: /^--/,
  }),
  sort: {
    ...read,
    values: 'ktoST',
    long: ['key', 'field-separator', 'output', 'temporary-directory', 'buffer-size', 'parallel'],
    dataOptions: /^(?:-[ktS]|--(?:key|field|buffer|par))/,
    writeOptions: /^(?:-o|--o)/,
  },
  ...{
    uniq: { values: 'fsw', dataOptions: /^-/, writes: 'second' },
    xxd: { values: 'clgso', dataOptions: /^-/, writes: 'second' },
  },
  ...each('cp mv ln install gcp gmv gln ginstall scp rsync', intoLast),
  ...each('mv gmv', { ...intoLast, writes: 'all' }),
  ...each('rm grm unlink rmdir shred tee mkdir mkfifo dos2unix unix2dos ed', {
    ...all,
    values: 'm',
    dataOptions: /^-m/,
  }),
  truncate: { ...all, values: 'sr', long: ['size', 'reference'], dataOptions: /^(?:-s|--s)/ },
  touch: {
    ...all,
    values: 'rtd',
    long: ['reference', 'date', 'time'],
    dataOptions: /^(?:-[td]|--(?:d|t))/,
    attributes: true,
  },
  ...each('chmod chown chgrp gchmod', { data: 1, dataByOption: /^--ref/, writes: 'rest', attributes: true }),
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress', zips),
  patch: {
    values: 'pdioBDFgrVYz',
    long: ['strip', 'directory', 'input', 'output', 'prefix', 'ifdef', 'fuzz', 'reject-file', 'suffix'],
    dataOptions: /^(?:-[pDFgVYz]|--(?:s|if|fu|v|g|q))/,
    writeOptions: /^(?:-[odrB]|--(?:o|d|rej|pr))/,
    writes: 'all',
  },
  split: { values: 'abClnt', dataOptions: /^-/, writes: 'second' },
  curl: {
    ...{
      values: 'oOTKbcdFHuAXemrQwxEytzPYCD',
      long: [
        'output',
        'output-dir',
        'data',
        'header',
        'user',
        'request',
        'form',
        'cookie-jar',
        'dump-header',
        'write-out',
        'url',
        'max-time',
        'retry',
        'user-agent',
      ],
    },
    ...{
      writes: 'none',
      writeOptions: /^(?:-[ocD]|--(?:o|cookie-j|dump|du|trace|st|libc|hsts|alt|etag-s))/,
      dataOptions: /^(?:-[HuAXemrQwxtzPYCy]|--(?:header|user|request|write|url|max|retry))/,
    },
  },
  wget: {
    values: 'OoaPiteTUQ',
    long: ['output-document', 'output-file', 'append-output', 'directory-prefix', 'save-cookies', 'warc-file'],
    writes: 'none',
    writeOptions: /^(?:-[OoaP]|--(?:o|app|dir|save-c|warc|rej))/,
    dataOptions: /^-[teTUQ]/,
  },
  unzip: { values: 'dxP', dataOptions: /^-[xP]/, writeOptions: /^-d/, writes: 'none' },
  cpio: {
    values: 'DEFHIMOR',
    long: ['directory', 'file'],
    dataOptions: /^-[HMR]/,
    writeOptions: /^(?:-[DFO]|--(?:d|f))/,
    writes: 'all',
  },
  // Their words are labels of targets: `//pkg:name`.
  ...each('bazel bazelisk buck buck2 pants', nothing),
  sqlite3: { ...read, data: 0 },
  ...each('psql mysql mariadb', {
    values: 'cdefFhLopPRTUvDuS',
    dataOptions: /^-[cdeFhpPRTUvDu]/,
    writeOptions: /^-[oL]/,
    data: 'all',
  }),
  'ssh-keygen': { values: 'tbCfNPmI', dataOptions: /^-[tbCNPmI]/, writeOptions: /^-f/ },
  ...each('gpg age', { values: 'or', dataOptions: /^-r/, writeOptions: /^(?:-o|--output)/ }),
};
