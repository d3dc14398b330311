import { basename, dirname, join } from 'node:path';

import type { AttemptKey } from '../../domain/types/attempt.ts';
import { sha256 } from '../system/hash-file.ts';

/* Every name below Heddle's home. Nothing here looks at the disk. */

/** The roots of a home: one folder for all of them, or those of the XDG rules. */
export interface HomeRoots {
  data: string;
  cache: string;
  state: string;
}

export interface HomeFolders {
  /** The Temporal server's database. */
  data: string;
  /** Objects and claims. */
  store: string;
  cache: string;
  /** The lock and the record of the running service. */
  run: string;
  logs: string;
}

export const rootsIn = (folder: string): HomeRoots => ({ data: folder, cache: join(folder, 'cache'), state: folder });

export const homeFolders = ({ data, cache, state }: HomeRoots): HomeFolders => ({
  data: join(data, 'data'),
  store: join(data, 'store'),
  cache,
  run: join(state, 'run'),
  logs: join(state, 'logs'),
});

/** The root of the files beside the store: a worker of one's own is told the store alone. */
export const rootOfStore = (store: string): string => dirname(store);

/** The version of the layout that everything below the root has. */
export const homeVersionFile = (root: string): string => join(root, 'home.json');

/** That the user trusts a project's file, by its place: a file for each, so that two commands at once change two files. */
export const trustFile = (root: string, path: string): string =>
  join(root, 'trust', `${sha256(path).slice(0, 32)}.json`);

/** Servers of tools: the lists of their tools, and the homes that they keep. */
export const toolListFile = (root: string, key: string): string => join(root, 'servers', 'lists', `${key}.json`);

export const serverHome = (root: string, name: string): string =>
  join(root, 'servers', 'homes', sha256(name).slice(0, 32));

/** Leases: the task that works in each workspace. */
export const leasesFile = (root: string): string => join(root, 'leases.db');

/** A task of one server: tasks of two servers may have one id. */
export interface ServedTask {
  /** The server's own id of its namespace. */
  server: string;
  task: string;
}

/** Values of variables that commands handed over: a file for each task. */
export const variablesFolder = (root: string): string => join(root, 'variables');

export const variablesFile = (root: string, { server, task }: ServedTask): string =>
  join(variablesFolder(root), `${sha256(`${server}\0${task}`).slice(0, 32)}.json`);

/** Held by the one process that writes such a file. */
export const variablesLock = (root: string): string => join(variablesFolder(root), 'lock.db');

/** Snapshots: a folder for each workspace of this machine. */
export const workspacesFolder = (root: string): string => join(root, 'workspaces');

export const workspaceFolder = (root: string, workspace: string): string =>
  join(workspacesFolder(root), sha256(workspace).slice(0, 16));

/** In the folder of a workspace: its shadow repository, its journal, and who writes now. */
export const workspaceFiles = (folder: string): { git: string; journal: string; lock: string; commands: string } => ({
  git: join(folder, 'git'),
  /** Notes of commands that run: the repositories that were there before. */
  commands: join(folder, 'commands'),
  journal: join(folder, 'journal.db'),
  lock: join(folder, 'lock'),
});

/** Traces of what runs, or ran: a folder for each task. */
export const runningFolder = (root: string): string => join(root, 'running');

export const taskFolder = (root: string, taskId: string): string => join(runningFolder(root), safeName(taskId));

/** The manifest of what a task keeps of the web and of tools of others, in JSON lines. */
export const artifactsFile = (root: string, taskId: string): string =>
  join(taskFolder(root, taskId), artifactsManifest);

const artifactsManifest = 'artifacts.jsonl';

export const isArtifactsFile = (path: string): boolean => basename(path) === artifactsManifest;

/** Holds the copy in which a subtask works alone, and the notes about it. It stays when the copy is gone: the lock and the word about the merge are in it. */
export const worktreeFolder = (root: string, { taskId, subtaskId }: Omit<AttemptId, 'attempt'>): string =>
  join(taskFolder(root, taskId), `worktree-${sha256(subtaskId).slice(0, 16)}`);

/** An attempt that runs, or ran on this machine, as people name it. */
export type AttemptId = Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt'>;

export interface RunningPaths {
  /** The folder of the task, with all that runs, or ran, of it. */
  folder: string;
  /** Begins every name that belongs to the attempt. */
  stem: string;
  /** The output so far, both streams, while it runs: what `heddle logs -f` follows. */
  log: string;
}

/** The traces that one workflow's attempt leaves. Another server's task with the same id has others, in the same folder. */
export interface AttemptPaths extends RunningPaths {
  /** Begins every name that is this workflow's alone. */
  own: string;
  /** The running record: the owner of the attempt, its executions, and its outcome. */
  record: string;
  /** Younger than a moment while another process waits for the end of the run. */
  awaited: string;
  /** The log of an agent's conversation, in JSON lines. */
  conversation: string;
}

/** Paths of the traces that a running attempt leaves. */
export function runningPaths(root: string, id: AttemptId): RunningPaths {
  const folder = taskFolder(root, id.taskId);
  const stem = `${safeName(id.subtaskId)}-${id.attempt}`;
  return { folder, stem, log: join(folder, `${stem}.log`) };
}

/** `namespace` and the chain's first run tell two workflows with one task id apart. */
export function attemptPaths(root: string, key: AttemptKey, namespace: string): AttemptPaths {
  const paths = runningPaths(root, key);
  const own = `${paths.stem}.${sha256(`${namespace}\0${key.chain}`).slice(0, 12)}`;
  return {
    ...paths,
    own,
    record: join(paths.folder, `${own}.json`),
    awaited: join(paths.folder, `${own}.awaited`),
    conversation: join(paths.folder, `${own}.jsonl`),
  };
}

/** Files of the local service, while it runs. */
export const serviceFiles = (run: string): { lock: string; info: string; lastUsed: string; server: string } => ({
  lock: join(run, 'service.lock'),
  info: join(run, 'service.json'),
  lastUsed: join(run, 'last-used'),
  server: join(run, 'server.json'),
});

/** Files of the HTTP API: the home's own key, the address and process of what serves, and when each token was last used. */
export const apiFiles = (run: string): { key: string; record: string; used: string; lock: string } => ({
  key: join(run, 'console-key'),
  record: join(run, 'api.json'),
  used: join(run, 'tokens-used.json'),
  /** Held by the one process that changes the tokens. */
  lock: join(run, 'tokens.lock'),
});

/** Names that may call the API, with hashes of their tokens. */
export const tokensFile = (root: string): string => join(root, 'tokens.toml');

export const serverDatabase = (data: string): string => join(data, 'temporal.db');
export const serverLog = (logs: string): string => join(logs, 'temporal.log');

/** The retry log of a day: for people, and as JSON lines. */
export const retryLogs = (logs: string, day: string): { text: string; json: string } => ({
  text: join(logs, `retry-${day}.log`),
  json: join(logs, `retry-${day}.jsonl`),
});

export const isRetryLog = (name: string): boolean => /^retry-.*\.log$/.test(name);

/** Output of a service that is being started, until it is ready. */
export const startLogs = (logs: string, pid: number): { out: string; err: string } => ({
  out: join(logs, `start-${pid}.out`),
  err: join(logs, `start-${pid}.err`),
});

/** The command whose start of a service such a file is about. */
export function parseStarterPid(name: string): number | undefined {
  const [, pid] = /^start-(\d+)\.out$/.exec(name) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** Temporal's program, by version. */
export const serverShelf = (cache: string): string => join(cache, 'temporal');
export const serverBinary = (cache: string, version: string): string => join(serverShelf(cache), version, 'temporal');

export const bundleFile = (cache: string, hash: string): string => join(cache, `workflows-${hash}.js`);

export const isBundleFile = (name: string): boolean => /^workflows-[0-9a-f]+\.js$/.test(name);

/** The console of a clone, built for a browser. */
export const consoleFolder = (cache: string, hash: string): string => join(cache, `console-${hash}`);

export const isConsoleFolder = (name: string): boolean => /^console-[0-9a-f]+$/.test(name);

const plainName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const readable = 32;

/**
 * A file name for an id of any script and length. Capitals count as unsafe: `A` and `a` are one file on some disks.
 * What had to be changed gets a hash, and `~`, which no plain name has.
 */
function safeName(id: string): string {
  if (plainName.test(id)) return id;
  const plain = id.toLowerCase().replace(/[^a-z0-9_-]+/g, '_');
  return `${plain.slice(0, readable)}~${sha256(id).slice(0, 16)}`;
}
