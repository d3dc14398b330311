/*
 * Texts that lead bash from data to a program: by calculation, by names out of variables, by abbreviated options, through quotes in quotes.
 * The programs are `rm`, `sudo`, `git push` and such that write files.
 */
import fc from 'fast-check';

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const double = (text: string): string => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
const ansi = (text: string): string => `$'${text.replaceAll("'", String.raw`\x27`).replaceAll('$', String.raw`\x24`)}'`;
const parted = (text: string): string =>
  Array.from(text, (one) => (/[\w ]/.test(one) ? one.replace(' ', '\\ ') : `'${one === "'" ? '' : one}'`)).join('');

const programs = [
  ...['rm -rf x', 'rm -r x', 'rm x/f', 'sudo ls', 'git push', 'git push -f', 'git push --forc', 'git push origin +a'],
  ...[
    'touch new',
    'tee new',
    'cp a.txt new',
    'mv a.txt new',
    'mkdir new',
    'ln a.txt new',
    '/bin/rm -rf x',
    'command rm -rf x',
  ],
];

/** Options that write, by their short and clustered names; and some that only look like it. */
const options = [
  ...[
    'sed --i s/b/c/ a.txt',
    'sed --in-p s/b/c/ a.txt',
    'sed -bi s/b/c/ a.txt',
    'sed -ni p a.txt',
    'sed -zi.o s/b/c/ a.txt',
  ],
  ...[
    'sed -n --expr=w\\ new a.txt',
    'sed -s -e "w new" a.txt',
    'sed --exp="1e touch new" a.txt',
    "sed 's/b/touch new/e' a.txt",
  ],
  ...['sort --o new a.txt', 'sort --outp=new a.txt', 'sort -uo new a.txt', 'sort -nonew a.txt', 'sort --comp=sh a.txt'],
  ...['uniq a.txt new', 'uniq -c a.txt new', 'tar --checkpoint=1 --checkpoint-a=exec=touch\\ new -cf /dev/null a.txt'],
  ...[
    'tar -cf new a.txt',
    'find . -fprint new',
    'find . -name x -fls new',
    'find . -exec touch new ;',
    'dd of=new',
    'date --se=2020-01-01',
  ],
  ...[
    'split a.txt new',
    'awk \'BEGIN {print > "new"}\'',
    'awk \'BEGIN {system("touch new")}\'',
    'truncate -s 0 a.txt',
    'install a.txt new',
  ],
  ...[
    'find . -exec true {} + -fprint new',
    'find . -name x -fprintf new %p',
    'find * -fprint new',
    'time -o new ls',
    'command time --outp=new ls',
    'gawk -onew 1 a.txt',
    'gawk --dump-v=new 1 a.txt',
    'awk -f data a.txt',
    'sed -n --fil=data a.txt',
    'sort -T . --par=2 -o new a.txt',
    'sort -- -onew a.txt',
    'xargs -a a.txt touch',
    'xargs --arg-f=a.txt touch new',
    'env -S "touch new"',
    'env --split="touch new"',
    'timeout --kil=1 2 touch new',
    'nice -n5 touch new',
    'diff --to-f=a.txt a.txt',
    'tee --app new',
    'install -Dm644 a.txt new',
    'cp --targ=x a.txt',
    'ln --sym a.txt new',
    'mv -t x a.txt',
    'touch -- new',
    'script -qc "touch new" /dev/null',
    'flock new true',
    'for PATH in x; do touch new; done',
    'read PATH <<< /stand-ins; rm -rf x',
    'exec -c rm -rf x',
    'uniq * new',
    'split -b1 a.txt',
    'csplit a.txt 1',
    'xz -k a.txt',
    'gzip --kee a.txt',
    'patch --outp=new a.txt data',
    'rm --rec x',
    'rm --forc x/f',
    'git push --forc',
    'git -c remote.o.mirror=true push',
    'git push origin +a',
    'date -d yesterday +%F',
    'tail -n +1 a.txt',
    'sed -n p a.txt',
    'sort -u a.txt',
    'sort --uniq a.txt',
    'uniq -c a.txt',
    'grep -c b a.txt',
    'find . -name x',
    'wc -l a.txt',
    'cut -c1 a.txt',
  ],
];

const inData = [
  'a[$(%)]',
  'a[`%`]',
  'a[b[\\$(%)]]',
  'a[${y:-$(%)}]',
  '$(%)',
  'a[1+$(%)]',
  'b,a[$(%)]',
  '1',
  'n',
  'a[0]',
];
const quotings = [
  single,
  double,
  ansi,
  parted,
  (text: string) => `"$(printf %s ${single(text)})"`,
  (text: string) => `"$(echo ${single(text)})"`,
];

/** `@` is a variable, `%` the text that it is given. */
const gives = [
  ...[
    '@=%',
    'for @ in %; do :; done',
    'read @ <<< %',
    'read -r @ <<< %',
    'printf -v @ %s %',
    ': ${@:=%}',
    ': "${@=%}"',
    'declare @=%',
    'export @=%',
  ],
  ...[
    'declare "@=1"; @=%',
    'z=%; @=$z',
    'z=%; @="$z"',
    '@=; @+=%',
    'mapfile -t @ <<< %',
    'readonly @=%',
    'eval @=%',
    'eval "@=\'%\'"',
  ],
  ...[
    'set -- %; @=$1',
    'f() { @=$1; }; f %',
    'read -a @ <<< %',
    '@=(%)',
    '@=([0]=%)',
    'IFS= read -r @ < <(echo %)',
    'typeset -x @=%',
    ': %; @=$_',
  ],
  ...[
    'n=@; printf -v "$n" %s %',
    'n=@; read "$n" <<< %',
    'n=@; declare "$n"=%',
    'n=@; export "$n"=%',
    'local @=%',
    '@=$(cat data)',
  ],
];
const names = [
  'v',
  'v',
  'v',
  'v',
  'RANDOM',
  'OPTIND',
  'SRANDOM',
  'HISTCMD',
  'SECONDS',
  'LINENO',
  'REPLY',
  '_',
  'OPTARG',
];

const uses = [
  ...[
    ':',
    ': $((@))',
    ': $((@ + 1))',
    ': $(($@))',
    ': $((${@}))',
    '((@))',
    '((z = @))',
    'let @',
    'let "z=@"',
    "let 'z = @ + 1'",
  ],
  ...[
    '[[ @ -eq 0 ]]',
    '[[ $@ -eq 0 ]]',
    '[[ 1 -lt $@ ]]',
    'z[@]=1',
    'z[$@]=1',
    'z=([@]=1)',
    'z=([$@]=1)',
    ': ${z[@v]}',
    ': ${z[$@]}',
    's=abc; : ${s:@}',
    's=abc; : ${s:$@:1}',
  ],
  ...[
    'for ((i = @; i < 1; i++)); do :; done',
    'declare -i z=@',
    'declare -i z; z=$@',
    'typeset -i z; z=@',
    'test -v "$@"',
    '[ -v "$@" ]',
    '[[ -v $@ ]]',
    'o=-v; [ $o "$@" ]',
  ],
  ...[
    'printf -v "$@" 1',
    'printf -v"$@" 1',
    'read "$@" <<< 1',
    'read -r z "$@" <<< "1 2"',
    'declare "$@=1"',
    'declare "$@"',
    'typeset "$@=1"',
    'export "$@=1"',
    'unset "$@"',
    'a=(1); unset "$@"',
  ],
  ...[
    ': ${!@}',
    ': "${@@P}"',
    'mapfile "$@" <<< 1',
    'sleep 0 & wait -n -p "$@"',
    'getopts a "$@" -a',
    'declare -n z=$@; : $z',
    "bash -c ': $((@))'",
    "@=$@ bash -c ': $((@))'",
  ],
  ...[
    'export @; bash -c ": \\$((@))"',
    'eval ": \\$((@))"',
    "trap ': $((@))' EXIT",
    '(: $((@)))',
    ': $(: $((@)))',
    'case $((@)) in 0) ;; esac',
    'RANDOM=$@',
    'OPTIND=$@',
    ': ${OPTIND:=$@}; : ${SRANDOM:=1}',
  ],
  ...[
    'f() { : $(($1)); }; f "$@"',
    'f() { local -i q=$1; }; f "$@"',
    'w=@; : $((w))',
    'w=$@; : $((w))',
    'echo "$@"',
    'test "$@" = 1',
    '[ "$@" -eq 1 ]',
    'printf %d "$@"',
    'set -- $@; : $(($1))',
    'a[0]=$@; : $((a))',
  ],
  ...[
    'SECONDS=$@',
    'BASH_SUBSHELL=$@',
    'exec {z[0]}>&1',
    '[ $@ ]',
    '[ "$@" "$@" ]',
    'compgen -W "$@"',
    'env w="$@" bash -c ": \\$((w))"',
    'while ((@)); do break; done',
    'if ((@)); then :; fi',
  ],
];

const wrappers = [
  ...[
    '%',
    '%',
    '%',
    '(%)',
    '{ %; }',
    'if :; then %; fi',
    'f() { %; }; f',
    'bash -c %q',
    'eval %q',
    'bash -c %d',
    'echo $(%)',
    'cat <(%)',
    '% | cat',
    'sh -c %q',
  ],
  ...[
    'for i in 1; do %; done',
    'case a in a) %;; esac',
    'true && { %; }',
    '{ %; } 2>&1',
    'bash <<< %q',
    'env bash -c %q',
    'timeout 2 bash -c %q',
    'cat <<E\n$(%)\nE',
    'trap %q EXIT',
    '! { %; }',
    'time { %; }',
  ],
];

const put = (wrapper: string, text: string): string =>
  wrapper.replaceAll(/%([qd]?)/g, (_, quotes: string) =>
    quotes === 'q' ? single(text) : quotes === 'd' ? double(text) : text,
  );

const pick = <T>(from: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...from);

const data = fc
  .tuple(pick(inData), pick(programs), pick(quotings))
  .map(([form, program, quoting]) => quoting(form.replaceAll('%', program)));

const calculated = fc
  .tuple(pick(gives), pick(names), data, pick(uses), pick([';', '\n', ' &&']))
  .map(([give, name, value, use, between]) => {
    const given = give
      .replaceAll('@', name)
      .replaceAll('%s', '\u0001')
      .replaceAll('%', () => value)
      .replaceAll('\u0001', '%s');
    return `${given}${between} ${use.replaceAll('@@P', '\u0001').replaceAll('@', name).replaceAll('\u0001', `${name}@P`)}`;
  });

const simple = fc.oneof(
  { weight: 8, arbitrary: calculated },
  { weight: 2, arbitrary: pick(options) },
  { weight: 1, arbitrary: pick(programs) },
);

/** One text for a shell. */
export const evaluatedTexts: fc.Arbitrary<string> = fc
  .tuple(simple, pick(wrappers), pick(wrappers))
  .map(([text, inner, outer]) => put(outer, put(inner, text)));
