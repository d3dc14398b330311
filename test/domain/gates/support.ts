/* Facts of a workspace that is nowhere, and texts that try to get past a gate. */
import { posix } from 'node:path';
import fc from 'fast-check';
import type { Danger, GateFacts, GateRules, GateRuling } from '../../../domain/types/basic/gate.ts';

/** A call, what is said about it, and with which danger where it is asked. */
export type GateCase = readonly [text: string, verdict: GateRuling['kind'], danger?: Danger];

export const noRules: GateRules = { allow: [], ask: [], deny: [] };

/** Links of the workspace that the tests know. */
const links: Readonly<Record<string, string>> = { '/ws/out': '/srv/elsewhere', '/ws/deep': '/ws/a/b/c/d' };

function resolveLinks(path: string, from: string): string {
  let place = '/';
  for (const part of posix.resolve(from, path).split('/')) {
    const next = posix.join(place, part);
    place = links[next] ?? next;
  }
  return place;
}

/** The entries on the machine of the tests, at its root and in the workspace. */
const existing: ReadonlySet<string> = new Set([
  ...'bin boot data dev etc home lib lib64 media mnt nix opt proc root run sbin srv sys tmp usr var ws'
    .split(' ')
    .map((name) => `/${name}`),
  ...'src src/app src/a.ts Makefile LICENSE docs docs/guide out deep'.split(' ').map((name) => `/ws/${name}`),
]);

export const gateFacts = (changes: Partial<GateFacts> = {}): GateFacts => ({
  workspace: '/ws',
  readRoots: ['/data/shared'],
  forbidden: ['/home/me/.heddle', '/ws/.copies'],
  sandboxed: true,
  walled: false,
  rules: noRules,
  allowed: [],
  resolve: resolveLinks,
  exists: (place) => existing.has(place),
  ...changes,
});

/** The name of a ruling in a table. */
export const nameOf = (verdict: GateRuling): string =>
  verdict.kind === 'ask' ? `ask ${verdict.danger}` : verdict.kind;

const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const doubleQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const removers = [
  ...[
    'rm',
    String.raw`\rm`,
    "r''m",
    '"rm"',
    String.raw`$'\x72m'`,
    '/bin/rm',
    '/usr/bin/r[m]',
    '$R',
    '${R}',
    '"$R"',
    '$(echo rm)',
  ],
  ...[
    '`echo rm`',
    'r${none}m',
    '${none:-rm}',
    'command rm',
    'busybox rm',
    '{rm,-rf,x}',
    String.raw`r\
m`,
  ],
];
const flags = [
  ...[
    '-rf',
    '-fr',
    '-r',
    '-f',
    '-r -f',
    '--recursive',
    '--rec',
    '-"rf"',
    "-r'f'",
    '$F',
    '"$F"',
    '${F}',
    '-{r,f}',
    '-$(echo rf)',
    '"$@"',
  ],
  ...['${none:--rf}', '`echo -rf`', '-v', '', '--', '-- -rf', String.raw`$'-rf'`, '"${A[@]}"', '$1'],
];
const targets = ['x', '"x"', './x', 'x/*', '*', 'x y', '$X', '{x,y}', '"$X"', 'x # y', 'x >f'];
const harmless = [
  ...[
    'ls',
    'ls -la',
    'echo hi',
    'echo "rm -rf x"',
    "printf '%s' 'rm -rf x'",
    'git status',
    'cat a.txt',
    'true',
    'false',
    ':',
  ],
  ...[
    'grep -rf p .',
    'echo rm -rf x',
    'test -f a.txt',
    '[ -d x ]',
    '[[ a == b ]]',
    'n=1',
    '((n++))',
    'wc -l < a.txt',
    'cd x',
    'cd ..',
  ],
  ...[
    'npm run rm -- -rf',
    'git commit -m "rm -rf x"',
    'farm -rf x',
    "sed -n '1p' a.txt",
    "awk '{print $1}' a.txt",
    'find . -name rm',
  ],
  ...[
    'F=-rf',
    'R=rm',
    'X=x',
    'A=(-rf x)',
    'set -- -rf x',
    'read F <<< -rf',
    'F+=f',
    'export F=-rf',
    'unset R',
    'shopt -s expand_aliases',
  ],
];

/** How one command is put into another; `%` is the command, `%q` and `%d` are it in quotes. */
const wrappers = [
  ...[
    '%',
    '% ; %',
    '% && %',
    '% || %',
    '% | %',
    '% & wait',
    '(%)',
    '{ %; }',
    '! %',
    'time %',
    '$(%)',
    '`%`',
    'echo $(%)',
    'echo "$(%)"',
  ],
  ...[
    'if %; then %; fi',
    'while %; do break; done',
    'for i in 1; do %; done',
    'for R in rm; do %; done',
    'for F in -rf; do %; done',
  ],
  ...[
    'case a in a) %;; esac',
    'f() { %; }; f',
    'f() { %; }; f -rf x',
    'function g { %; }; g rm',
    'ls() { %; }; ls',
    'f() { "$@"; }; f %',
  ],
  ...[
    'sh -c %q',
    'bash -c %d',
    'bash -ec %q _ -rf x',
    'eval %q',
    'eval %',
    'eval "$(echo %q)"',
    'trap %q EXIT',
    'env %',
    'env -S %q',
  ],
  ...[
    'nice -n 3 %',
    'timeout 2 %',
    'exec %',
    'nohup %',
    'command %',
    'builtin eval %q',
    'xargs %',
    'echo x | xargs %',
    'echo %q | sh',
  ],
  ...[
    'echo -rf x | xargs -n 3 %',
    'find x -maxdepth 0 -exec % {} +',
    'find . -name x -exec sh -c %q \\;',
    'bash <<< %q',
    'sh <<E\n%\nE',
  ],
  ...[
    'cat <<E\n$(%)\nE',
    "cat <<'E'\n$(%)\nE",
    'cat <<E\n%\nE',
    'source <(echo %q)',
    'cat <(%)',
    'echo ${y:-$(%)}',
    'echo "${y:=`%`}"',
  ],
  ...[
    'echo $((1 + $(%)))',
    'a=%q; $a',
    'a=%q; eval "$a"',
    "a='b[$(%)]'; echo $((a))",
    'a[$(%)]=1',
    'alias q=%q\nq x',
    'coproc %',
    '% > f',
  ],
  ...[
    '> f %',
    '2>&1 %',
    'A=b %',
    'R=rm; %',
    'F=-rf; %',
    '%\n%',
    'echo # %\n%',
    "echo '%' ; %",
    'cd x; %',
    'set -e; %',
    'echo %q > s; sh s',
  ],
  ...[
    'until %; do break; done',
    'select i in a; do %; done <<< 1',
    '[[ -n $(%) ]]',
    '[ -n "$(%)" ]',
    'awk %q a.txt',
    'python3 -c %q',
  ],
  ...[
    'git -c alias.z=%q z',
    'ssh h %q',
    'printf %s %q | bash',
    'tee s <<< %q; bash ./s',
    'declare F=-rf; %',
    'local F=-rf; %',
    'echo %q',
  ],
];

const marks = [
  ...[
    ' ',
    ' ',
    '\n',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
    '`',
    '$(',
    '${',
    '$((',
    '))',
    '<(',
    '<<E',
    '\nE\n',
    '<<<',
    '#',
  ],
  ...[
    '$',
    '\\',
    '*',
    '?',
    '[',
    ']',
    '[[',
    ']]',
    '=',
    '!',
    '~',
    '..',
    '/',
    '>',
    '>>',
    '2>&1',
    '{a,',
    ',b}',
    "$'",
    '\\x72',
    'if',
    'then',
    'fi',
    'do',
  ],
  ...[
    'done',
    'case',
    'esac',
    'in',
    'for',
    'while',
    'function',
    'coproc',
    'select',
    'time',
    'eval',
    'sh -c',
    'xargs',
    'find',
    '-exec',
    '{}',
    '-c',
  ],
];

const removal = fc
  .tuple(fc.constantFrom(...removers), fc.constantFrom(...flags), fc.constantFrom(...targets))
  .map((words) => words.join(' '));
const simple = fc.oneof({ weight: 3, arbitrary: removal }, { weight: 2, arbitrary: fc.constantFrom(...harmless) });

function put(wrapper: string, inner: readonly [string, string]): string {
  let next = 0;
  return wrapper.replaceAll(/%([qd]?)/g, (_, quotes: string) => {
    const text = inner[next] ?? '';
    next = (next + 1) % inner.length;
    return quotes === 'q' ? singleQuoted(text) : quotes === 'd' ? doubleQuoted(text) : text;
  });
}

const { command: nested } = fc.letrec<{ command: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'gate' },
    { weight: 2, arbitrary: simple },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...wrappers), tie('command'), tie('command'))
        .map(([wrapper, ...inner]) => put(wrapper, inner)),
    },
  ),
}));

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...marks),
      fc.constantFrom(...removers, ...flags, ...targets),
      fc.constantFrom(...harmless),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(' '));

/** A command with something put in or taken out, as a model may break it. */
const broken = fc
  .tuple(nested, fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...marks))
  .map(([text, at, length, mark]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + mark + text.slice(start + length);
  });

/** Commands of which many reach `rm`, in all the ways that a shell has; some are nonsense. */
export const gateTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: nested },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: soup },
);
