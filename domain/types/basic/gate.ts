/*
 * Actions of an agent, or of a program of the plan, are assessed before they happen, by their words and the places that they lead to.
 * A gate is no wall: the sandbox limits damage, the gate decides who is asked.
 */

/** The kind of danger. */
export type Danger =
  /** Recursive or forced deletes, a folder with all that is in it. */
  | 'delete'
  | 'privilege'
  /** Force pushes, and what else rewrites history. */
  | 'history'
  | 'publish'
  /** Disks and devices. */
  | 'device'
  /** SQL that drops, truncates, or deletes without a filter. */
  | 'sql'
  /** World-writable modes. */
  | 'permissions'
  /** The network piped into a shell. */
  | 'download'
  | 'secret'
  | 'outside'
  /** `heddle.toml`. */
  | 'config'
  /** Programs inside of programs: nobody can read from the outside what they do. */
  | 'code'
  /** It cannot be read: too long, broken, or a program whose name is only known when it runs. */
  | 'unclear'
  /** Without a sandbox: a program that is not known to only read. */
  | 'program'
  /** A host of the web that a rule asks about. */
  | 'web'
  /** The config says so. */
  | 'rule'
  /** A tool of a server, which may change something. */
  | 'tool'
  /** A tool of a server that says of itself that what it does cannot be taken back. */
  | 'destructive';

/** The ruling of a gate. The worst part of a compound command counts. */
export type GateRuling =
  | { kind: 'allow' }
  | {
      kind: 'ask';
      danger: Danger;
      /** One plain sentence for the person who is asked. */
      why: string;
      /** Signature of an answer "for good", as the project's memory keeps it; null: such an action is asked about each time. */
      signature: string | null;
    }
  | { kind: 'deny'; why: string };

/** A verify command that a person is asked about before its subtask starts. */
export interface AskedCheck {
  command: string;
  /** The project's own test, or a check that the task itself names; absent where a model wrote it. */
  source?: 'project' | 'goal';
  /** One plain sentence. */
  why: string;
  /** Hash of the whole action: an answer holds for this one and no other. */
  hash: string;
  danger: Danger;
  /** Signature of an answer for good; null: it is asked each time. */
  signature: string | null;
}

/** A person's answer about the verify command with this hash: it runs, another one does, or none. */
export type CheckAnswer = { hash: string } & (
  | { option: 'approve' }
  | { option: 'edit'; command: string }
  | { option: 'reject' }
);

/** `[gates]` of the config, as it is written there: "shell:npm test", "git:commit", "write:docs/**", "web:docs.python.org". */
export interface GateRules {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

/** All that a gate knows besides the call itself. */
export interface GateFacts {
  /** Absolute, links resolved. Calls happen there. */
  workspace: string;
  /** Folders outside of it that may be read: absolute. */
  readRoots: readonly string[];
  /** Heddle's own: its home, the store, copies of other subtasks. Always denied. */
  forbidden: readonly string[];
  /** True when commands run where they can do little harm: without that, every program is asked about unless it is sure to only read. */
  sandboxed: boolean;
  /** True when they reach the services of this machine from there: Temporal would start anything for them, so every program is asked about. */
  reachesMachine?: boolean;
  /** True when nothing that they write outside the workspace lasts: then a yes has no effect, and such a write is refused. */
  walled: boolean;
  rules: GateRules;
  /** Signatures that people allowed for good. */
  allowed: readonly string[];
  /** The place that a path leads to from a folder, by every link on it that is there now: absolute. */
  resolve: (path: string, from: string) => string;
  /** True when something is at a place, which is absolute; also where nobody can tell. */
  exists: (place: string) => boolean;
}

/** `[sandbox]` of the config: where commands of an agent run. */
export interface SandboxSetting {
  /** `auto`: where it works; `require`: nowhere else; `container`: the host is disposable; `off`: never. */
  mode: 'auto' | 'require' | 'container' | 'off';
  network: boolean;
}

/** `[web]` of the config. */
export interface WebSetting {
  /** Hosts with their ports that may be on this machine or in a private network. */
  internal: readonly string[];
}

/** The sandbox where the config names none. */
export const defaultSandbox: SandboxSetting = { mode: 'auto', network: false };
