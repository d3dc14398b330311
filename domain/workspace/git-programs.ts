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
  'tag.gpgSign=false',
];

/** Options of git in a workspace; hooks only run where they can do little harm. */
export function gitOptions(workspace: string, { sandboxed }: { sandboxed: boolean }): string[] {
  const settings = [
    ...harmless,
    // Whoever owns the files: a person has named this folder.
    `safe.directory=${workspace}`,
    ...(sandboxed ? [] : ['core.hooksPath=/dev/null']),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
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
  /^gpg\.(?:.+\.)?program$/,
  /^gpg\.ssh\.defaultkeycommand$/,
  /^interactive\.difffilter$/,
  /^merge\..+\.driver$/,
  /^mergetool\./,
  /^pager\./,
  /^remote\..+\.(?:receivepack|uploadpack|vcs)$/,
  /^submodule\..+\.update$/,
  /^trailer\..+\.(?:cmd|command)$/,
];

/** Of the names of a repository's settings, those that may make git run something. */
export function namedPrograms(keys: readonly string[]): string[] {
  const found = new Set(keys.map((key) => key.toLowerCase()));
  return [...found].filter((key) => programs.some((pattern) => pattern.test(key)));
}
