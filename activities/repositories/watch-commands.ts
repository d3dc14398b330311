import type { RepositoryChange } from '../../domain/types/basic/workspace.ts';
import { workspaceFiles, workspaceFolder } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Command, CommandPort, CommandResult } from '../sandbox/command.ts';
import { decodePath, diskPath, type PathKey } from '../workspace/git/path-key.ts';
import { Journal } from '../workspace/snapshots/journal.ts';
import { findLeftNotes, writeCommandNote, type CommandNote } from './command-notes.ts';
import {
  disarmRepositories,
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
  /** Told of each repository that a command made, or whose settings it changed. */
  onChange: (change: RepositoryChange) => void;
}

/** Commands after each of which nothing is left in the workspace that a later git of the user would run. */
export async function watchCommands(port: CommandPort, watch: Watch): Promise<CommandPort> {
  const watcher = new CommandWatcher(port, watch);
  await watcher.settleLeft();
  return {
    ...port,
    run: (command) => (command.looks === true ? port.run(command) : watcher.run(command)),
  };
}

class CommandWatcher {
  readonly #port: CommandPort;
  readonly #watch: Watch;
  readonly #folder: string;

  constructor(port: CommandPort, watch: Watch) {
    this.#port = port;
    this.#watch = watch;
    this.#folder = workspaceFolder(watch.root, watch.workspace);
  }

  /** What a command of a worker that died has left behind. */
  async settleLeft(): Promise<void> {
    for (const { note, remove } of await findLeftNotes(workspaceFiles(this.#folder).commands)) {
      await this.#settle(note);
      await remove();
    }
  }

  async run(command: Command): Promise<CommandResult> {
    const { task, subtask } = this.#watch;
    const before = await lookBefore(this.#watch);
    const nested = this.#nested(before);
    const note: CommandNote = { task, subtask, before, kept: await this.#kept(before, nested) };
    const removeNote = await writeCommandNote(workspaceFiles(this.#folder).commands, note);
    let result: CommandResult | undefined;
    let repositories: RepositoryChange[] = [];
    try {
      result = await this.#port.run({ ...command, repositories: nested.flatMap((path) => this.#placeOf(path)) });
    } finally {
      repositories = await this.#settle(note);
      await removeNote();
    }
    return result.kind === 'not-started' || repositories.length === 0 ? result : { ...result, repositories };
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
    if (!this.#port.keepsSettings) return [];
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

  /** What is read-only to the command: a change there is somebody else's. */
  async #kept(before: SeenRepositories, nested: readonly PathKey[]): Promise<KeptRepositories> {
    const kept = new Map<PathKey, string>();
    if (!this.#port.keepsSettings) return kept;
    const own = [...before].filter(
      ([path, facts]) =>
        path.startsWith('.git/modules/') || (path === '.git' && !(typeof facts === 'string' && isLinkText(facts))),
    );
    for (const path of [...own.map(([each]) => each), ...nested]) kept.set(path, await folderAt(this.#watch, path));
    return kept;
  }

  #placeOf(path: PathKey): string[] {
    return decodePath(path) === undefined ? [] : [diskPath(this.#watch.workspace, path).toString()];
  }
}
