/*
 * What an agent, or a program of the plan, is about to do to the world is judged before it happens, by what it says and where it leads.
 * A gate is no wall: the sandbox limits damage, the gate decides who is asked.
 */

/** What is dangerous about it. */
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
  /** The config says so. */
  | 'rule';

/** What a gate says. The worst part of a compound command counts. */
export type GateRuling =
  | { kind: 'allow' }
  | {
      kind: 'ask';
      danger: Danger;
      /** One plain sentence for the person who is asked. */
      why: string;
      /** What an answer "for good" would allow, as it stands in the memory of the project; null: such a thing is asked each time. */
      signature: string | null;
    }
  | { kind: 'deny'; why: string };

/** A verify command that a model wrote, and that a person is asked about before its subtask starts. */
export interface AskedCheck {
  command: string;
  /** One plain sentence. */
  why: string;
  /** Of the whole action: an answer holds for this one and no other. */
  hash: string;
  danger: Danger;
  /** What an answer for good would allow; null: it is asked each time. */
  signature: string | null;
}

/** What a person said about the verify command with this hash: it runs, another one does, or none. */
export type CheckAnswer = { hash: string } & (
  | { option: 'approve' }
  | { option: 'edit'; command: string }
  | { option: 'reject' }
);

/** `[gates]` of the config, as it is written there: "shell:npm test", "git:commit", "write:docs/**". */
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
  /** Heddle's own: its home, the store, copies of other subtasks. Denied, whoever asks. */
  forbidden: readonly string[];
  /** Whether commands run where they can do little harm: without that, every program that is not known to only read is asked about. */
  sandboxed: boolean;
  /** Whether they reach the services of this machine from there: Temporal would start anything for them, so every program is asked about. */
  reachesMachine?: boolean;
  /** Whether nothing that they write outside the workspace lasts: then a yes has no effect, and such a write is refused. */
  walled: boolean;
  rules: GateRules;
  /** Signatures that people allowed for good. */
  allowed: readonly string[];
  /** Where a path leads from a folder, by every link on it that is there now: absolute. */
  resolve: (path: string, from: string) => string;
  /** Whether something is at a place, which is absolute; true also where nobody can tell. */
  exists: (place: string) => boolean;
}

/** `[sandbox]` of the config: where commands of an agent run. */
export interface SandboxSetting {
  /** `auto`: where it works; `require`: nowhere else; `container`: the host is disposable; `off`: never. */
  mode: 'auto' | 'require' | 'container' | 'off';
  network: boolean;
}

/** Where the config says nothing. */
export const defaultSandbox: SandboxSetting = { mode: 'auto', network: false };
