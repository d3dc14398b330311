/** Limits of the search for repositories below a workspace, before and after each command of an agent. */
export const repositoryLimits = {
  /** Folders that are looked at; shallow ones come first. */
  folders: 50_000,
  /** Milliseconds for which a search counts as done when the next command begins. */
  fresh: 60_000,
  /** Bytes of a file of settings; a longer one was not written by git. */
  settingsBytes: 256 * 1024,
  /** Hooks of one repository that are looked at one by one; nobody has more, and all of them go together. */
  hooks: 200,
  /** Repositories inside of the workspace's own whose settings a command sees read-only. */
  kept: 32,
  /** Milliseconds that git has to read a file of settings. */
  readTimeout: 5_000,
  /** Repositories that one execution of an agent tells of. */
  told: 20,
  /** Names of settings and hooks that are told of one. */
  named: 20,
} as const;
