/*
 * Settings of a repository that an agent made or changed. Git runs programs that settings name, also for the user and long after the task.
 * So only settings that are known to be harmless are kept; an unknown one counts as dangerous.
 */

export interface GitSetting {
  /** The key as git prints it: section and name in lower case, a subsection between them as it was written. */
  key: string;
  /** Null: the setting has no value, which git reads as true. */
  value: string | null;
}

/** Settings that neither run a program nor lead to one. */
const harmless = [
  /^advice\.\w+$/,
  /^apply\.(?:ignorewhitespace|whitespace)$/,
  /^branch\.(?:.+\.)?(?:autosetupmerge|autosetuprebase|description|merge|pushremote|rebase|remote|sort|vscode-merge-base)$/,
  /^color\.[\w.-]+$/,
  /^commit\.(?:cleanup|status|verbose)$/,
  /^core\.(?:abbrev|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commentstring|compression|eol|filemode|hidedotfiles|ignorecase|logallrefupdates|loosecompression|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|whitespace)$/,
  /^diff\.(?:algorithm|colormoved|context|indentheuristic|mnemonicprefix|noprefix|renamelimit|renames|submodule|wordregex)$/,
  /^extensions\.(?:objectformat|partialclone|preciousobjects|refstorage|noop)$/,
  /^fetch\.(?:parallel|prune|prunetags|writecommitgraph)$/,
  /^gc\.(?!recentobjectshook$)[\w.-]+$/,
  /^index\.(?:sparse|threads|version)$/,
  /^init\.defaultbranch$/,
  /^lfs\.repositoryformatversion$/,
  /^log\.(?:abbrevcommit|date|decorate|follow)$/,
  /^maintenance\.(?:auto|strategy)$/,
  /^merge\.(?:conflictstyle|ff|log|renames|stat)$/,
  /^pack\.(?:compression|threads|windowmemory|writebitmaps)$/,
  /^pull\.(?:ff|rebase)$/,
  /^push\.(?:autosetupremote|default|followtags)$/,
  /^rebase\.(?:autosquash|autostash|stat|updaterefs)$/,
  /^receive\.denycurrentbranch$/,
  /^remote\.(?:.+\.)?(?:fetch|partialclonefilter|promisor|prune|prunetags|pushdefault|tagopt)$/,
  /^rerere\.(?:autoupdate|enabled)$/,
  /^status\.[\w.-]+$/,
  /^submodule\.(?:.+\.)?(?:active|branch|fetchjobs|ignore|recurse)$/,
  /^tag\.sort$/,
  /^user\.(?:email|name|useconfigonly)$/,
];

/** Addresses to fetch from; `ext::` and similar ones name a program. */
const places = /^(?:remote|submodule)\..+\.(?:pushurl|url)$/;
const plainPlace = /^(?:(?:https?|ssh|git|file):\/\/[^-]|(?:[\w.-]+@)?\w[\w.-]*:(?!:)|\.{0,2}\/|\w[^:]*$)/;

/** Rejects values that would make a harmless setting run something: `!command`, and line breaks that some readers split at. */
const isPlain = (value: string): boolean => !value.startsWith('!') && !/[\n\0]/.test(value);

export function isHarmless({ key, value }: GitSetting): boolean {
  if (value !== null && !isPlain(value)) return false;
  if (places.test(key)) return value !== null && plainPlace.test(value);
  return harmless.some((pattern) => pattern.test(key));
}

/** Parses the output of `git config --list -z`. */
export function parseSettings(printed: string): GitSetting[] {
  return printed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('\n');
      return at === -1 ? { key: entry, value: null } : { key: entry.slice(0, at), value: entry.slice(at + 1) };
    });
}

/** Splits settings into those that stay and the names of the others. Settings from before the task are the user's own. */
export function splitSettings(
  now: readonly GitSetting[],
  before: readonly GitSetting[],
): { kept: GitSetting[]; removed: string[] } {
  const earlier = new Set(before.map(sameText));
  const isKept = (settings: GitSetting): boolean => earlier.has(sameText(settings)) || isHarmless(settings);
  return {
    kept: now.filter(isKept),
    removed: [...new Set(now.filter((settings) => !isKept(settings)).map(({ key }) => key))],
  };
}

const sameText = ({ key, value }: GitSetting): string => JSON.stringify([key, value]);

/** Formats settings as a file that git reads. */
export function formatSettings(settings: readonly GitSetting[]): string {
  let section = '';
  const lines: string[] = [];
  for (const { key, value } of settings) {
    const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
    const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
    const head = `[${key.slice(0, first)}${subsection}]`;
    if (head !== section) lines.push(head);
    section = head;
    lines.push(`\t${key.slice(last + 1)}${value === null ? '' : ` = ${quoteSubsection(value)}`}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

const quoteSubsection = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')}"`;
