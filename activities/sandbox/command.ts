import type { RepositoryChange } from '../../domain/types/basic/workspace.ts';
import type { KeptText } from './head-tail.ts';
import type { WayOut } from './network/own-network.ts';

/** One program to run in the workspace of an attempt. */
export interface Command {
  /** Program and arguments; no shell reads them. */
  argv: readonly string[];
  /** Besides what every command is given. */
  env?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  timeout: number;
  /** Ends it, with everything that it has started. */
  signal: AbortSignal;
  /** Repositories inside of the workspace whose settings and hooks it must not change: absolute. */
  repositories?: readonly string[];
  /** A look of our own, which changes nothing. */
  looks?: true;
}

/** Which limit it went beyond. */
export type KilledFor = 'time' | 'processes' | 'memory' | 'output';

/** What a command came to. Nothing of it runs any more. */
export type CommandResult =
  | { kind: 'not-started'; why: string }
  | {
      kind: 'exited';
      /** Null: a signal ended it. */
      exit: number | null;
      signal: string | null;
      output: KeptText;
      durationMs: number;
      /** What it made of repositories in the workspace. */
      repositories?: RepositoryChange[];
    }
  /** Ended by us, somewhere in the middle. */
  | {
      kind: 'killed';
      for: KilledFor | 'abort';
      output: KeptText;
      durationMs: number;
      repositories?: RepositoryChange[];
    };

/** Where commands of an attempt run. */
export interface CommandPort {
  /** Whether they can do little harm there: in the sandbox, or on a host that its operator calls disposable. */
  readonly sandboxed: boolean;
  /** Whether they reach the services of this machine, though they are in a sandbox. */
  readonly reachesMachine: boolean;
  /** Whether settings and hooks of the workspace's repository are read-only there. */
  readonly keepsSettings: boolean;
  /** Whether there are walls around them: what they write outside the workspace is lost. */
  readonly walled: boolean;
  run(command: Command): Promise<CommandResult>;
}

/** What a command may see and touch. */
export interface Confinement {
  /** Absolute, links resolved: it runs there, and may write below it. */
  workspace: string;
  /** Folders outside that it may read: absolute. */
  readRoots: readonly string[];
  /** What it must not see, though it may lie below one of those: Heddle's home. */
  hidden: readonly string[];
  network: boolean;
  /** Gives it a network of its own, where it has one; undefined: it shares that of the worker. */
  wayOut?: WayOut | undefined;
}
