/*
 * A repository's own settings can name programs that git runs by itself. They come with the files, so no user has agreed to them.
 */

/** Settings for every call: nothing is run, asked or shown in a pager, and nothing continues in the background. */
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
 * Variables of every command of an agent. A bare repository is a folder that an agent can write, with settings that name programs, so git
 * uses one only where it is named explicitly.
 */
export function commandVariables({ sandboxed }: { sandboxed: boolean }): Record<string, string> {
  const settings = [['safe.bareRepository', 'explicit'], ...(sandboxed ? [] : [['core.fsmonitor', 'false']])];
  const named = settings.flatMap(([key = '', value = ''], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

/** Options of git in a workspace; hooks run only where they can do little harm. */
export function gitOptions(workspace: string, { sandboxed }: { sandboxed: boolean }): string[] {
  const settings = [
    ...harmless,
    // A person has named this folder, so its owner does not matter.
    `safe.directory=${workspace}`,
    ...(sandboxed ? [] : ['core.hooksPath=/dev/null']),
  ];
  return settings.flatMap((settings) => ['-c', settings]);
}

/** No terminal, no editor, no questions: these override settings. Repositories above the workspace are ignored. */
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

/** Subcommands that show changes with programs of the settings by default. */
const showing = new Set(['diff', 'log', 'show']);

/** Adds options to compare without programs, which no setting can override. */
export function withoutPrograms(args: readonly string[], subcommand: number): string[] {
  if (!showing.has(args[subcommand] ?? '')) return [...args];
  const after = subcommand + 1;
  return [...args.slice(0, after), '--no-ext-diff', '--no-textconv', ...args.slice(after)];
}

/** Settings whose value is a program and that cannot be disabled from outside. */
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

/** Settings that our own calls of git disable, but a git that a shell starts does not. */
const programsOfShell = [
  ...programs,
  /^core\.hookspath$/,
  /^credential\.(?:.+\.)?helper$/,
  /^core\.(?:sshcommand|askpass)$/,
];

/** Selects the settings of a repository that may make git run a program. */
export function namedPrograms(keys: readonly string[], { byShell = false } = {}): string[] {
  const names = new Set(keys.map((key) => key.toLowerCase()));
  const patterns = byShell ? programsOfShell : programs;
  return [...names].filter((key) => patterns.some((pattern) => pattern.test(key)));
}
