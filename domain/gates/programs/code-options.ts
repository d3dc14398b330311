import type { ShellWord } from '../shell/words/word.ts';

/** Settings of package managers that name a program, or code that Node.js loads first; names may be abbreviated. */
const managerCode =
  /^(?:--(?:config[.])?(?:scr\w*(?:-[\w-]*)?|node-o[\w-]*|shell|git|editor|viewer|browser|init-module|onload-script|userconfig|globalconfig)(?:=|$)|(?:script-shell|node-options|init-module|git|editor|viewer|browser|shell)=)/;

/** Options by which programs start others, or are given code: words that bring it, and long names, which may be abbreviated. */
interface Bringer {
  words?: RegExp;
  long?: readonly string[];
}

const bringers: Readonly<Record<string, Bringer>> = {
  tar: {
    words: /^(?:-[a-zA-Z]*F|[Acdrtux][a-zA-Z]*F[a-zA-Z]*$)/,
    long: ['checkpoint-action', 'to-command', 'rsh-command', 'rmt-command', 'info-script', 'new-volume-script'],
  },
  zip: { words: /^-TT/, long: ['unzip-command'] },
  wget: { words: /^-[a-zA-Z]*e/, long: ['use-askpass', 'execute'] },
  sort: { long: ['compress-program'] },
  rg: { words: /^--(?:pre(?:=|$)|hostname-bin)/ },
  ag: { long: ['pager'] },
  ack: { long: ['pager', 'output'] },
  man: { words: /^-[a-zA-Z]*[PH]/, long: ['pager', 'html'] },
  nc: { words: /^-[a-z]*[ec]/ },
  netcat: { words: /^-[a-z]*[ec]/ },
  ncat: { words: /^-[a-z]*[ec]/, long: ['exec', 'sh-exec', 'lua-exec'] },
  socat: { words: /(?:^|[!|,])(?:exec|system|shell):/i },
  ssh: { words: /(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand|pkcs11provider)/i },
  scp: { words: /^(?:-[a-zA-Z]*S|-D)|proxycommand/i },
  sftp: { words: /^-[a-zA-Z]*[SbD]|proxycommand/i },
  ...{ make: makeTexts(), gmake: makeTexts(), bmake: makeTexts() },
  just: { words: /^-c$/, long: ['shell', 'shell-arg', 'shell-command', 'command'] },
  gcc: { words: /^(?:-wrapper|-fplugin)/ },
  ctags: { long: ['options', '_interactive'] },
  ...Object.fromEntries(['npm', 'pnpm', 'yarn', 'npx', 'pnpx', 'cnpm'].map((name) => [name, { words: managerCode }])),
};

/** A program may be given code, or a program to start, by one of its options. */
export function isGivenCode(name: string, words: readonly ShellWord[]): boolean {
  const bringer = Object.hasOwn(bringers, name) ? bringers[name] : undefined;
  return (bringer !== undefined && bringsCode(bringer, words)) || setsManagerCode(name, words);
}

/** `--comp=sh` is `--compress-program=sh`; a longer name may be a newer option of the same kind. */
function bringsCode({ words: pattern, long = [] }: Bringer, words: readonly ShellWord[]): boolean {
  return words.slice(1).some(({ text }) => {
    if (pattern?.test(text) === true) return true;
    const [name = ''] = text.slice(2).split('=');
    return text.startsWith('--') && name !== '' && long.some((one) => one.startsWith(name) || name.startsWith(one));
  });
}

/** Text that make reads as a makefile, or the shell that it starts for each line. */
function makeTexts(): Bringer {
  return { words: /^-[a-zA-DF-Z]*E|^(?:SHELL|\.SHELLFLAGS|MAKEFILES|MAKEFLAGS|GNUMAKEFLAGS)[:+?!]*=/, long: ['eval'] };
}

/** `npm config set script-shell FILE`. */
const setsManagerCode = (name: string, words: readonly ShellWord[]): boolean =>
  /^[cp]?npm$|^yarn$/.test(name) &&
  words.some(({ text }, at) => text === 'set' && managerCode.test(`--${words[at + 1]?.text ?? ''}`));
