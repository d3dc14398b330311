import type { Readable, Writable } from 'node:stream';
import type { Ref } from '../../domain/model/ref.ts';
import type { ConfigFile } from '../../domain/config/layer.ts';
import type { TaskDiff, UndoAnswer } from '../../domain/model/workspace.ts';
import type { HeddleClient } from '../heddle-client.ts';

export type InStream = Readable & { isTTY?: boolean };

export type OutStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** Where the commands go: a server that was given, or the local service. */
export interface Endpoint {
  client: HeddleClient;
  address: string;
  namespace: string;
  /** Base address of the Web UI, when it is known. */
  webUi: string | null;
  /** Whether it is the local service of this home. */
  local: boolean;
}

export interface UpInfo {
  temporalAddress: string;
  webUi: string | null;
  pid: number;
}

export interface Check {
  name: string;
  ok: boolean;
  /** One sentence: what was found. */
  found: string;
  /** What to do about it. */
  hint?: string;
}

export interface PruneRequest {
  /** Whose open tasks these are. */
  server: { id: string; address: string; namespace: string; local: boolean };
  /** When they were asked for, in milliseconds. */
  lookedAt: number;
  /** Tasks that have not ended, by their ids. */
  openTasks: readonly string[];
  /** Hashes of stored objects that they refer to. */
  keep: ReadonlySet<string>;
  /** How old something must be, in milliseconds; each kind has its own age when it is absent. */
  olderThan?: number;
  /** The store is cut down to this size, oldest first. */
  maxBytes?: number;
  dryRun: boolean;
}

/** How much of each kind went, and what it took on the disk. */
export interface Pruned {
  /** Tasks whose snapshots went. */
  snapshots: number;
  objects: number;
  attempts: number;
  logs: number;
  bytes: number;
}

/** A workflow's history as the server or a file has it. */
export interface RecordedHistory {
  name: string;
  workflowId: string;
  history: unknown;
}

export interface Replayed {
  name: string;
  workflowId: string;
  /** What does not fit; null when it replays. */
  problem: string | null;
}

/**
 * What the command line needs from the rooms that it may not import: processes, servers, files of the home.
 * `workers/heddle.ts` gives the real ones.
 */
export interface Ports {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  stdin: InStream;
  stdout: OutStream;
  stderr: OutStream;
  /** Calls the handler when the process is asked to stop (Ctrl-C, SIGTERM), until the returned function is called. This process's own signals by default. */
  onStopRequest?(handler: () => void): () => void;
  /** Connects; starts the local service in the background when no server is given and it is not there. `progress` is told while it takes long. */
  connect(options?: { progress?: (text: string) => void }): Promise<Endpoint>;
  /** Connects only when something is there already; undefined otherwise. Starts nothing. */
  connectIfRunning(): Promise<Endpoint | undefined>;
  /** Runs server (unless one is given) and worker in this process until stopped; resolves after the drain. */
  up(options: {
    onReady: (info: UpInfo) => void;
    signal: AbortSignal;
    progress: (text: string) => void;
    /** Where Prometheus reads the metrics. */
    metrics?: string;
  }): Promise<void>;
  /** Starts the same in the background, or finds it. */
  upInBackground(options: { progress: (text: string) => void; metrics?: string }): Promise<UpInfo>;
  /** Ends the local service and waits for it; false when none runs. */
  down(): Promise<boolean>;
  /** A worker alone, on the server that is given or that runs here, until stopped. */
  worker(options: {
    onReady: (info: { address: string; taskQueue: string; host: string }) => void;
    signal: AbortSignal;
    metrics?: string;
    /** The version of this code; tasks stay with the one that they began with. */
    buildId?: string;
    /** Serves workflows alone. */
    workflowsOnly?: boolean;
  }): Promise<void>;
  /** Replays histories against the workflow code of this program, or of the bundle that is given; one result each, in order. */
  replay(histories: AsyncIterable<RecordedHistory>, options: { bundle?: string }): AsyncIterable<Replayed>;
  doctor(): Promise<Check[]>;
  /** Whole output of an attempt by its reference; undefined when this machine's store does not have it. */
  readOutput(sha256: string): Promise<NodeJS.ReadableStream | undefined>;
  /** File that holds the output so far of an attempt that runs on this machine. */
  liveLog(attempt: { taskId: string; subtaskId: string; attempt: number }): string;
  /** The project of a folder whose plans name none. */
  projectOf(folder: string): Promise<string>;
  /** Files of a workspace as they are now, to be compared with how a subtask left them. */
  stampFiles(workspace: string, paths: string[]): Promise<{ path: string; sha256: string | null }[]>;
  /** The config files of a workspace, weakest first; undefined when the folder, or the host, is not here. */
  readConfig(folder: string, host?: string): Promise<ConfigFile[] | undefined>;
  /** What snapshots of this machine show that a task or subtask changed, with a unified diff; undefined when they know nothing of it. */
  diffTask(
    subject: { task: string; subtask: string | null },
    options: { subtaskKnown: boolean },
  ): Promise<{ diff: TaskDiff; patch: Uint8Array } | undefined>;
  /** Brings files back; undefined when snapshots of this machine know nothing of the task. */
  undoTask(
    subject: { task: string; subtask: string | null },
    options: { dryRun: boolean; force: boolean; ended: boolean; subtaskKnown: boolean },
  ): Promise<UndoAnswer | undefined>;
  /** A page of archived events; undefined when this machine's store does not have it. */
  readArchive(ref: Ref): Promise<unknown[] | undefined>;
  /** Removes what is old and no open task needs from this machine's home; with `dryRun` only says what it would. */
  prune(request: PruneRequest): Promise<Pruned>;
}
