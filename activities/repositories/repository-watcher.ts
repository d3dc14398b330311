import type { RepositoryChange } from '../../domain/types/basic/workspace.ts';
import { workspaceFiles, workspaceFolder } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { takeTurns } from '../system/take-turns.ts';
import { decodePath, diskPath, type PathKey } from '../workspace/git/path-key.ts';
import { Journal } from '../workspace/snapshots/journal.ts';
import { findLeftNotes, readCommandNotes, writeCommandNote, type CommandNote } from './command-notes.ts';
import {
  disarmRepositories,
  stateBeforeAll,
  folderAt,
  isLinkText,
  lookBefore,
  type KeptRepositories,
  type SeenRepositories,
  type WatchPlace,
} from './watch-repositories.ts';

export interface Watch extends WatchPlace {
  /** Heddle's home. */
  root: string;
  task: string;
  subtask: string;
  /** Receives each repository that the watched work made, or whose settings it changed. */
  onChange: (change: RepositoryChange) => void;
}

/** Looks at the repositories of a workspace before and after some work in it, and takes out what a later git of the user would run. */
export class RepositoryWatcher {
  readonly #watch: Watch;
  readonly #folder: string;

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#folder = workspaceFolder(watch.root, watch.workspace);
  }

  /** Settles the work of workers that died before they looked again. */
  async settleLeft(): Promise<void> {
    for (const { note, remove } of await findLeftNotes(this.#notes)) {
      await this.#inTurn(() => this.#settle(note));
      await remove();
    }
  }

  /** `work` is given the repositories below the workspace's own whose settings it has to keep. */
  async during<T>(
    { keepsSettings }: { keepsSettings: boolean },
    work: (repositories: string[]) => Promise<T>,
  ): Promise<{ result: T; changes: RepositoryChange[] }> {
    const { note, nested, removeNote } = await this.#inTurn(() => this.#begin(keepsSettings));
    const during = await work(nested.flatMap((path) => this.#placeOf(path))).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const changes = await this.#inTurn(async () => {
      const settled = await this.#settle(note);
      await removeNote();
      return settled;
    });
    if ('error' in during) throw during.error;
    return { result: during.result, changes };
  }

  /**
   * The state before counts from the beginning of the oldest work that still runs, since nobody has looked yet at what that has left. Else
   * two agents could arm in turns what the other one's look has taken for granted.
   */
  async #begin(
    keepsSettings: boolean,
  ): Promise<{ note: CommandNote; nested: PathKey[]; removeNote: () => Promise<void> }> {
    const { task, subtask } = this.#watch;
    const running = await readCommandNotes(this.#notes);
    const seen = await lookBefore(this.#watch);
    const notes = [...running, ...(await readCommandNotes(this.#notes))];
    const before = stateBeforeAll(
      seen,
      notes.map((note) => note.before),
    );
    const steady: SeenRepositories = new Map(
      [...before].filter(([path, facts]) => JSON.stringify(facts) === JSON.stringify(seen.get(path))),
    );
    const nested = keepsSettings ? this.#nested(steady) : [];
    const kept: KeptRepositories = keepsSettings ? await this.#kept(steady, nested) : new Map();
    const note: CommandNote = { task, subtask, before, kept };
    return { note, nested, removeNote: await writeCommandNote(this.#notes, note) };
  }

  async #settle({ task, subtask, before, kept }: CommandNote): Promise<RepositoryChange[]> {
    const { workspace, onChange } = this.#watch;
    const disarmed = await disarmRepositories(before, kept, this.#watch);
    if (disarmed.length === 0) return [];
    const changes = Journal.with(this.#folder, workspace, (journal) => {
      const isReported = journal.repositories(task).some(({ state }) => state === 'unsearched');
      const news = disarmed.filter(({ state }) => !(isReported && state === 'unsearched'));
      if (news.length > 0) journal.addRepositories({ task, subtask }, news);
      return news;
    });
    for (const change of changes) onChange(change);
    return changes;
  }

  /** Repositories inside of the workspace's own that no agent has made: an agent may remove its own again, which what is mounted forbids. */
  #nested(before: SeenRepositories): PathKey[] {
    const inside = [...before].flatMap(([path, facts]) =>
      typeof facts === 'string' || path === '.git' || path.startsWith('.git/') || this.#placeOf(path).length === 0
        ? []
        : [path],
    );
    if (inside.length === 0 || !Journal.exists(this.#folder)) return inside.slice(0, activityLimits.repositories.kept);
    const made = Journal.with(this.#folder, this.#watch.workspace, (journal) => journal.repositories());
    const own = new Set(made.filter(({ state }) => state === 'created').map(({ path }) => path));
    return inside.filter((path) => !own.has(decodePath(path) ?? '')).slice(0, activityLimits.repositories.kept);
  }

  /** Repositories that are read-only to the work: a change there is somebody else's. */
  async #kept(before: SeenRepositories, nested: readonly PathKey[]): Promise<KeptRepositories> {
    const kept = new Map<PathKey, string>();
    const own = [...before].filter(
      ([path, facts]) =>
        path.startsWith('.git/modules/') || (path === '.git' && !(typeof facts === 'string' && isLinkText(facts))),
    );
    for (const path of [...own.map(([each]) => each), ...nested]) kept.set(path, await folderAt(this.#watch, path));
    return kept;
  }

  get #notes(): string {
    return workspaceFiles(this.#folder).commands;
  }

  /** Nobody may look while another one's findings are being settled: its note is gone then, and what it found may still be there. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    return takeTurns(`repositories of ${this.#watch.workspace}`, action);
  }

  #placeOf(path: PathKey): string[] {
    return decodePath(path) === undefined ? [] : [diskPath(this.#watch.workspace, path).toString()];
  }
}
