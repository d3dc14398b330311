import type { RepositoryChange } from '../../domain/types/basic/workspace.ts';
import type { WorkspaceAccess } from '../../domain/types/basic/tool-server.ts';
import type { Talk } from '../programs/start-program.ts';
import type { KeptText } from './head-tail.ts';
import type { WayOut } from './network/own-network.ts';

/** One program to run in the workspace of an attempt. */
export interface Command {
  /** Program and arguments; no shell reads them. */
  argv: readonly string[];
  /** Variables besides those of every command. */
  env?: Readonly<Record<string, string>>;
  /** Most milliseconds that it may take. A command that is talked to ends when its `signal` does. */
  timeout: number;
  /** Ends it, with everything that it has started. */
  signal: AbortSignal;
  /** Repositories inside of the workspace whose settings and hooks it must not change: absolute. */
  repositories?: readonly string[];
  /** It is talked to for as long as it runs: it has no time limit of its own, and only its errors are kept as output. */
  talk?: Talk;
  /** True for a look of our own, which changes nothing. */
  looks?: true;
}

/** The limit that a command went beyond. */
export type KilledFor = 'time' | 'processes' | 'memory' | 'output';

/** The end of a command, of which nothing runs any more. */
export type CommandResult =
  | { kind: 'not-started'; why: string }
  | {
      kind: 'exited';
      /** Null: a signal ended it. */
      exit: number | null;
      signal: string | null;
      output: KeptText;
      durationMs: number;
      /** Changes that it made to repositories in the workspace. */
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

/** The place where commands of an attempt run. */
export interface CommandPort {
  /** True where they can do little harm: in the sandbox, or on a host that its operator calls disposable. */
  readonly sandboxed: boolean;
  /** True where they reach the services of this machine, though they are in a sandbox. */
  readonly reachesMachine: boolean;
  /** True where settings and hooks of the workspace's repository are read-only there. */
  readonly keepsSettings: boolean;
  /** True where walls surround them: what they write outside the workspace is lost. */
  readonly walled: boolean;
  run(command: Command): Promise<CommandResult>;
}

/** The limits of what a command may see and touch. */
export interface Confinement {
  /** Absolute, links resolved: it runs there, and may write below it. */
  workspace: string;
  /** Folders outside that it may read: absolute. */
  readRoots: readonly string[];
  /** Folders that it must not see, though they may lie below one of those: Heddle's own. */
  hidden: readonly string[];
  /** Access to the workspace; by default it may write there. */
  access?: WorkspaceAccess;
  /** A folder of the machine that is its home; by default it has one in memory. */
  home?: string;
  network: boolean;
  /** Gives it a network of its own, where it has one; undefined: it shares that of the worker. */
  wayOut?: WayOut | undefined;
}
