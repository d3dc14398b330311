/*
 * A repository's own settings can name programs that git runs by itself. They come with the files, so nobody has agreed to them.
 */

/** Settings that hold for every call: nothing is run, asked or shown in a pager, and nothing goes on in the background. */
const harmless = [
  'commit.gpgSign=false',
  'core.fsmonitor=false',
  'core.pager=cat',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'safe.bareRepository=explicit',
  'tag.gpgSign=false',
];

/**
 * Variables of every command that an agent runs. A repository without a `.git` is a folder like any other that an agent can write, with settings
 * that name programs: git uses one only where it is told so.
 */
export function commandVariables({ sandboxed }: { sandboxed: boolean }): Record<string, string> {
  const settings = [['safe.bareRepository', 'explicit'], ...(sandboxed ? [] : [['core.fsmonitor', 'false']])];
  const named = settings.flatMap(([key = '', value = ''], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

/** Options of git in a workspace; hooks only run where they can do little harm. */
export function gitOptions(workspace: string, { sandboxed }: { sandboxed: boolean }): string[] {
  const settings = [
    ...harmless,
    // Whoever owns the files: a person has named this folder.
    `safe.directory=${workspace}`,
    ...(sandboxed ? [] : ['core.hooksPath=/dev/null']),
  ];
  return settings.flatMap((settings) => ['-c', settings]);
}

/** No terminal, no editor, no questions: these win over what settings say. A repository above the workspace is none of its business. */
export const gitVariables = (workspace: string): Record<string, string> => ({
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_CEILING_DIRECTORIES: workspace.slice(0, workspace.lastIndexOf('/')) || '/',
});

/** Subcommands that show changes through programs of the settings unless they are told not to. */
const showing = new Set(['diff', 'log', 'show']);

/** The arguments, with what no setting can say: compare without programs of the settings. */
export function withoutPrograms(args: readonly string[], subcommand: number): string[] {
  if (!showing.has(args[subcommand] ?? '')) return [...args];
  const after = subcommand + 1;
  return [...args.slice(0, after), '--no-ext-diff', '--no-textconv', ...args.slice(after)];
}

/** Settings whose value is a program and that cannot be made harmless from outside. */
const programs = [
  /^alias\./,
  /^core\.(?:alternaterefscommand|gitproxy)$/,
  /^diff\.external$/,
  /^diff\..+\.(?:command|textconv)$/,
  /^difftool\./,
  /^filter\..+\.(?:clean|process|smudge)$/,
  /^gc\.recentobjectshook$/,
  /^gpg\.(?:.+\.)?program$/,
  /^gpg\.ssh\.defaultkeycommand$/,
  /^hook\..+\.command$/,
  /^interactive\.difffilter$/,
  /^merge\..+\.driver$/,
  /^mergetool\./,
  /^pager\./,
  /^remote\..+\.(?:receivepack|uploadpack|vcs)$/,
  /^submodule\..+\.update$/,
  /^trailer\..+\.(?:cmd|command)$/,
];

/** Our own calls of git switch these off; a git that a shell starts does not. */
const programsOfShell = [
  ...programs,
  /^core\.hookspath$/,
  /^credential\.(?:.+\.)?helper$/,
  /^core\.(?:sshcommand|askpass)$/,
];

/** Of the names of a repository's settings, those that may make git run something. */
export function namedPrograms(keys: readonly string[], { byShell = false } = {}): string[] {
  const names = new Set(keys.map((key) => key.toLowerCase()));
  const patterns = byShell ? programsOfShell : programs;
  return [...names].filter((key) => patterns.some((pattern) => pattern.test(key)));
}
