import type { Process } from '../../domain/process/parse-process.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import type { ProcessMode, ProcessSource, ProcessView } from '../../domain/types/process.ts';

/** The places that are searched for processes, besides the built-in and the user's own ones. */
export interface ProcessSearch {
  workspace: string;
  paths: readonly string[];
}

/** A process as `heddle process list` shows it. */
export interface ProcessListing {
  name: string;
  from: ProcessSource;
  path: string;
  description: string | null;
  mode: ProcessMode | null;
  trusted: boolean;
  replaces: ProcessSource[];
  replacedBy: ProcessSource | null;
  problem: Problem | null;
}

/** A process with where it was found. */
export interface ShownProcess {
  process: Process;
  view: ProcessView;
  path: string;
}

/** The processes of this machine: files that tasks may follow. */
export interface ProcessesPort {
  /** Reads a process from a file or a package, as JSON that is sent with a task. */
  readProcessFile: (path: string) => Promise<{ name: string; definition: Record<string, unknown> }>;
  /** Reads the process that a task names, as the worker will. `trusted`: the caller trusts the workspace for this call. */
  readTaskProcess(
    sent: unknown,
    place: { workspace: string; paths: readonly string[]; trusted: boolean },
  ): Promise<{ process: Process; view: ProcessView }>;
  /** Lists the processes that tasks of a workspace may name, and files that cannot be used. */
  listProcesses(place: ProcessSearch): Promise<ProcessListing[]>;
  /** Reads a process by its name or its path, trusted or not: to be looked at. */
  showProcess(nameOrPath: string, place: ProcessSearch): Promise<ShownProcess>;
  /** Writes a new process into the workspace, or for the user, and trusts it. Throws `PROCESS_EXISTS`. */
  writeProcess(
    name: string,
    options: { from?: string | undefined; user: boolean; place: ProcessSearch },
  ): Promise<{ name: string; path: string }>;
}
