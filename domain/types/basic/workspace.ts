/** Somebody who could have changed files: an attempt of a subtask, or the undo of one (of the whole task when `subtask` is null). */
export interface Writer {
  task: string;
  subtask: string | null;
  undo: boolean;
}

/** Part of a task's time that no snapshot shows. */
export interface SnapshotGap {
  subtask: string | null;
  attempt: number;
  moment: 'start' | 'end';
  at: string;
  reason: string;
}

/**
 * Something that snapshots leave out, so that undo does too. `generated`: a folder such as `node_modules` that changed; `not-merged`: such a
 * folder stayed behind in the copy of a subtask, since the workspace has another of this name.
 */
export interface OutsideFile {
  path: string;
  why: 'large' | 'unreadable' | 'was-ignored' | 'generated' | 'not-merged';
}

/** A file that somebody else changed while an attempt ran: undo leaves it as it is. */
export interface OthersFile {
  path: string;
  /** Subtasks that ran meanwhile. */
  during: string[];
  /** True when these changed it too. */
  shared: boolean;
}

/** A change of a file by a task, or by one of its subtasks. */
export interface ChangedFile {
  path: string;
  state: 'created' | 'modified' | 'deleted' | 'mode';
  /** Subtasks; more than one when nobody can tell which, or when several changed it one after the other. */
  by: string[];
  /** True when it is sure that they did it, and nobody else in between. */
  sure: boolean;
  binary: boolean;
  added: number;
  removed: number;
}

/** A repository in the workspace that a command of an agent made, or whose settings it changed. */
export interface RepositoryChange {
  path: string;
  /** `unsearched`: the workspace itself, which has more folders than are searched, told once in a task. */
  state: 'created' | 'changed' | 'unsearched';
  /** Names of settings and hooks that git would have run, and that were taken out. */
  removed: string[];
}

/** The output of `heddle diff --json`. */
export interface TaskDiff {
  taskId: string;
  subtask: string | null;
  workspace: string;
  files: ChangedFile[];
  gaps: SnapshotGap[];
  outside: OutsideFile[];
  changedByOthers: OthersFile[];
  /** No snapshot holds repositories, and undo leaves them. */
  repositories: (RepositoryChange & { by: string })[];
}

/** The output of `heddle undo --json`. */
export interface UndoAnswer {
  taskId: string;
  subtask: string | null;
  workspace: string;
  dryRun: boolean;
  files: { path: string; action: 'restored' | 'removed' | 'mode' }[];
  gaps: SnapshotGap[];
  outside: OutsideFile[];
  /** Files that were left as they are. With force, files that the subject changed too are restored. */
  changedByOthers: OthersFile[];
}

/** A task that has, or had, a lease of a folder. */
export interface FolderTask {
  task: string;
  workflowId: string;
  /** The server that knows it. */
  serverId: string;
}

/** Other tasks of a folder, as far as their server could be asked. */
export interface OtherTasks {
  open: string[];
  ended: string[];
}

/** The subject of a question: a task, or one of its subtasks. */
export interface WorkspaceSubject {
  task: string;
  subtask: string | null;
}
