import { ask, quoteWord, type GateFinding } from './findings/finding.ts';
import type { VariableAssignment } from './shell/words/command-reading.ts';
import { showAll } from './standing/exact-words.ts';

/** Variables that decide which code a name stands for, or what a shell does between commands. */
const chooses =
  /^(?:PATH|HOME|XDG_CONFIG_HOME|ZDOTDIR|INPUTRC|LD_\w+|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|BASH_FUNC_.*|NODE_OPTIONS|PERL5OPT|RUBYOPT|PYTHONSTARTUP|PYTHONHOME|JAVA_TOOL_OPTIONS|(?:GNU)?MAKEFLAGS|MAKEFILES|TAR_OPTIONS|RSYNC_RSH|LESSOPEN|LESSCLOSE|SUDO_ASKPASS|HISTFILE|RIPGREP_CONFIG_PATH|GREP_OPTIONS|ACKRC|ACK_\w+|AWK(?:LIB)?PATH|GCONV_PATH|LOCPATH|NLSPATH|MAGIC|OPENSSL_CONF|CURL_HOME|WGETRC|npm_config_(?:script_shell|node_options))$/i;

/** Variables of git lead it to other settings, other repositories, or files that it writes; these do not. */
const ofGit = /^GIT_/;
const harmlessForGit =
  /^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|LFS_SKIP_SMUDGE|REFLOG_ACTION|CEILING_DIRECTORIES|(?:NO)?GLOB_PATHSPECS|LITERAL_PATHSPECS|ICASE_PATHSPECS|ADVICE|PROGRESS_DELAY|ATTR_NOSYSTEM|CONFIG_NOSYSTEM)$/;

/** Their value is a command. */
const holdsCommand =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|ASKPASS)|SSH_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|SHELL|CVS_RSH)$/;

/** Variables by which the shell reads its own words otherwise than they are written. */
const misleads = /^(?:IFS|CDPATH|GLOBIGNORE|BASH_ALIASES(?:\[.*)?|BASH_CMDS(?:\[.*)?)$/;

/** Commands that are often given there and do nothing. */
const harmlessCommand = /^(?:true|false|:|cat|less|more|\/bin\/(?:true|cat|sh|bash)|\/usr\/bin\/(?:true|cat)|)$/;
const harmlessNodeOptions =
  /^(?:--(?:max[-_]old[-_]space[-_]size=\d+|no-warnings|enable-source-maps|experimental-vm-modules|trace-warnings|no-deprecation|disable-warning=\w+)\s*)*$/;

/** Variables that make programs do something else than their words say. */
export function settingFindings({ name, words }: VariableAssignment): GateFinding[] {
  const shown = quoteWord(name);
  if (misleads.test(name))
    return [ask('unclear', `It changes ${shown}, and with it how the rest of the command is read.`)];
  const isFine = (pattern: RegExp): boolean => words.every(({ text, kind }) => kind === 'plain' && pattern.test(text));
  if (name === 'NODE_OPTIONS' && isFine(harmlessNodeOptions)) return [];
  const isCommand = holdsCommand.test(name) && !isFine(harmlessCommand);
  const leadsGit = ofGit.test(name) && !harmlessForGit.test(name) && !holdsCommand.test(name);
  if (!isCommand && !leadsGit && !chooses.test(name)) return [];
  const value = showAll(words);
  return [
    ask(
      'code',
      `It sets ${shown}, which decides what other programs run.`,
      value === undefined ? undefined : `${name}=${value}`,
    ),
  ];
}
