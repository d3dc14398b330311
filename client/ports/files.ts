import type { Artifact } from '../../domain/artifacts/artifact.ts';
import type { ConfigFile, FileIdentity } from '../../domain/config/layer.ts';
import type { Stamp } from '../../domain/types/basic/ref.ts';
import type { LeftBy, LeftState } from '../../domain/types/reuse.ts';
import type { ReadStored } from '../follow/read-pages.ts';
import type { FolderTask, WorkspaceSubject, TaskDiff, UndoAnswer } from '../../domain/types/basic/workspace.ts';

export interface PruneRequest {
  /** The server that has these open tasks. */
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

/** The files of this machine: workspaces, their config and snapshots, and what the home keeps of tasks. */
export interface FilesPort {
  /** Whole output of an attempt by its reference; undefined when this machine's store does not have it, `STORE_DAMAGED` when it has changed since it was stored. */
  readOutput(sha256: string): Promise<NodeJS.ReadableStream | undefined>;
  /** JSON that a task put into this machine's store; undefined when it is not there, `STORE_DAMAGED` when it has changed since it was stored. */
  readStored: ReadStored;
  /** The artifacts that this machine's home keeps of a task, the oldest first. */
  listArtifacts(task: string): Promise<Artifact[]>;
  /** File that holds the output so far of an attempt that runs on this machine. */
  liveLog(attempt: { taskId: string; subtaskId: string; attempt: number }): string;
  /** The project of a folder whose plans name none. */
  resolveProject(folder: string): Promise<string>;
  /** Files of a workspace as they are now, to be compared with how a subtask left them. */
  stampFiles(workspace: string, paths: string[]): Promise<Stamp[]>;
  /** All that finished work changed in a workspace, compared with what is there now. */
  compareLeft(question: { workspace: string; work: LeftBy[]; lineage: string[] }): Promise<LeftState[]>;
  /** The config files of a workspace, weakest first; undefined when the folder, or the host, is not here. */
  readConfig(folder: string, host?: string): Promise<ConfigFile[] | undefined>;
  /** Keeps in the home that the user trusts a project's file with this content. */
  trustConfig(identity: FileIdentity): Promise<void>;
  /** By what a folder as it is now would be trusted; undefined where nobody can trust it. */
  identifyFolder(folder: string): Promise<FileIdentity | undefined>;
  /** Keeps in the home that the user trusts a folder as it is now; resolves to what is trusted. */
  trustFolder(folder: string): Promise<FileIdentity>;
  /** Takes both back: for the project's file from the folder upwards and the folder that it is in, else for the folder itself. */
  distrustConfig(folder: string): Promise<{ path: string; wasTrusted: boolean }>;
  /** Compares snapshots of this machine for the changes of a task or subtask, with a unified diff; undefined when there are none. */
  diffTask(
    subject: WorkspaceSubject,
    options: { isInPlan: boolean },
  ): Promise<{ diff: TaskDiff; patch: Uint8Array } | undefined>;
  /** Brings files back; undefined when snapshots of this machine know nothing of the task. */
  undoTask(
    subject: WorkspaceSubject,
    options: {
      dryRun: boolean;
      force: boolean;
      ended: boolean;
      isInPlan: boolean;
      /** Resolves to true where another task of the folder is open. */
      isOpen: (task: FolderTask) => Promise<boolean | 'unknown'>;
    },
  ): Promise<UndoAnswer | undefined>;
  /** Removes what is old and no open task needs from this machine's home; with `dryRun` only says what it would. */
  prune(request: PruneRequest): Promise<Pruned>;
}
