import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

import { workspaceFiles } from '../../home/home-layout.ts';
import { buildWriterKey, type WriterMark } from '../../../domain/workspace/attribution.ts';
import type { WriteLedger } from '../../../domain/workspace/tool-writes.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { sha256 } from '../../system/hash-file.ts';
import { openShared, release } from './shared-database.ts';
import type { IndexState, JournalMark, Meta } from '../git/snapshot.ts';

/** Grows when a table changes. */
const schema = `
  CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS metas (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS marks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    moment TEXT NOT NULL,
    task TEXT NOT NULL,
    subtask TEXT,
    undo INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    declared TEXT NOT NULL,
    tree TEXT,
    meta TEXT,
    gap TEXT,
    host TEXT NOT NULL,
    process TEXT,
    forgotten INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS marks_of_task ON marks (task);
  CREATE TABLE IF NOT EXISTS repositories (
    task TEXT NOT NULL,
    subtask TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    removed TEXT NOT NULL,
    PRIMARY KEY (task, subtask, path)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ledgers (seq INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS open (writer TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
`;

export type NewSnapshotMark = Omit<JournalMark, 'seq'>;

/** The snapshots of one workspace in their order. Opened for one piece of work at a time. */
export class Journal {
  readonly #file: string;
  readonly #database: DatabaseSync;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  static exists(folder: string): boolean {
    return existsSync(workspaceFiles(folder).journal);
  }

  /** Makes it where it is not there yet. */
  static open(folder: string, workspace?: string): Journal {
    const file = workspaceFiles(folder).journal;
    const journal = new Journal(file, openShared(file, prepare));
    if (workspace !== undefined) journal.#remember('workspace', workspace);
    return journal;
  }

  /** Works with the journal of a folder and closes it. */
  static with<T>(folder: string, workspace: string | undefined, action: (journal: Journal) => T): T {
    const journal = Journal.open(folder, workspace);
    try {
      return action(journal);
    } finally {
      journal.close();
    }
  }

  close(): void {
    release(this.#file, this.#database);
  }

  get workspace(): string {
    return this.#recall('workspace') ?? '';
  }

  /** With what their writers told of their writes. */
  marks(): JournalMark[] {
    const query = 'SELECT marks.*, ledgers.json AS ledger FROM marks LEFT JOIN ledgers USING (seq) ORDER BY seq';
    return this.#database.prepare(query).all().map(toMark);
  }

  /** Those of one attempt, in their order. */
  marksOfAttempt({ task, subtask, attempt }: { task: string; subtask: string; attempt: number }): JournalMark[] {
    const query = 'SELECT * FROM marks WHERE task = ? AND subtask = ? AND attempt = ? AND undo = 0 ORDER BY seq';
    return this.#database.prepare(query).all(task, subtask, attempt).map(toMark);
  }

  /** The first of some tasks. */
  firstMark(tasks: readonly string[]): JournalMark | undefined {
    const find = this.#database.prepare('SELECT * FROM marks WHERE task = ? AND undo = 0 ORDER BY seq LIMIT 1');
    const rows = tasks.map((task) => find.get(task)).filter((row) => row !== undefined);
    const marks = rows.map(toMark);
    return marks.sort((a, b) => a.seq - b.seq)[0];
  }

  /** Both ends included. */
  marksBetween(first: number, last: number): JournalMark[] {
    return this.#database
      .prepare('SELECT * FROM marks WHERE seq BETWEEN ? AND ? ORDER BY seq')
      .all(first, last)
      .map(toMark);
  }

  marksAfter(seq: number): JournalMark[] {
    return this.#database.prepare('SELECT * FROM marks WHERE seq > ? ORDER BY seq').all(seq).map(toMark);
  }

  /** Starts without an end. */
  open(): JournalMark[] {
    return this.#database.prepare('SELECT marks.* FROM open JOIN marks USING (seq) ORDER BY seq').all().map(toMark);
  }

  knows(task: string): boolean {
    const row = this.#database.prepare('SELECT 1 FROM marks WHERE task = ? AND forgotten = 0 LIMIT 1').get(task);
    return row !== undefined;
  }

  /** All at once or none. */
  add(marks: readonly NewSnapshotMark[], metas: readonly Meta[] = [], state?: IndexState): void {
    this.#transaction(() => {
      for (const meta of metas) this.#addMeta(meta);
      const insert = this.#database.prepare(
        'INSERT INTO marks (at, moment, task, subtask, undo, attempt, declared, tree, meta, gap, host, process) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const mark of marks) {
        const { task, subtask, undo } = mark.writer;
        const about = [mark.at, mark.moment, task, subtask, undo ? 1 : 0, mark.attempt];
        const kept = [JSON.stringify(mark.declared), mark.tree, mark.meta, mark.gap, mark.host];
        const { lastInsertRowid } = insert.run(...about, ...kept, mark.process && JSON.stringify(mark.process));
        this.#addLedger(mark, lastInsertRowid);
        this.#follow(mark, lastInsertRowid);
      }
      if (state !== undefined) this.#remember('index', JSON.stringify(state));
    });
  }

  /** Records what commands of agents did to repositories in the workspace. A created one stays created when it is changed again. */
  addRepositories({ task, subtask }: { task: string; subtask: string }, changes: readonly RepositoryChange[]): void {
    const earlier = new Map(this.repositories(task, subtask).map((change) => [change.path, change]));
    this.#transaction(() => {
      const insert = this.#database.prepare('INSERT OR REPLACE INTO repositories VALUES (?, ?, ?, ?, ?)');
      for (const { path, state, removed } of changes) {
        const before = earlier.get(path);
        const names = [...new Set([...(before?.removed ?? []), ...removed])];
        insert.run(task, subtask, path, before?.state ?? state, JSON.stringify(names));
      }
    });
  }

  /** Those of a task, of one of its subtasks, or all. */
  repositories(task?: string, subtask?: string | null): (RepositoryChange & { by: string })[] {
    const rows = this.#database.prepare('SELECT * FROM repositories ORDER BY path, subtask').all();
    return rows
      .filter((row) => (task === undefined || row['task'] === task) && (subtask ?? row['subtask']) === row['subtask'])
      .map((row) => ({
        path: String(row['path']),
        state: readState(row['state']),
        removed: JSON.parse(String(row['removed'])) as string[],
        by: String(row['subtask']),
      }));
  }

  get indexState(): IndexState | undefined {
    const text = this.#recall('index');
    return text === undefined ? undefined : (JSON.parse(text) as IndexState);
  }

  meta(id: string): Meta | undefined {
    const row = this.#database.prepare('SELECT json FROM metas WHERE id = ?').get(id);
    if (row === undefined) return undefined;
    // One of an older version left nothing out.
    const stored = JSON.parse(String(row['json'])) as Omit<Meta, 'leftOut' | 'kept'> & Partial<Meta>;
    return { leftOut: {}, kept: [], ...stored };
  }

  /** Removes what only a forgotten task needs; what lies in another task's time stays, since its trees tell the two apart. */
  forget(task: string): void {
    this.#transaction(() => {
      this.#database.prepare('UPDATE marks SET forgotten = 1 WHERE task = ?').run(task);
      this.#database.prepare('DELETE FROM open WHERE seq IN (SELECT seq FROM marks WHERE task = ?)').run(task);
      this.#database.exec(`DELETE FROM marks WHERE forgotten = 1 AND NOT EXISTS (
        SELECT 1 FROM (SELECT min(seq) AS first, max(seq) AS last FROM marks WHERE forgotten = 0 GROUP BY task) AS span
        WHERE marks.seq BETWEEN span.first AND span.last)`);
      this.#database.exec('DELETE FROM ledgers WHERE seq NOT IN (SELECT seq FROM marks)');
      this.#database.prepare('DELETE FROM repositories WHERE task = ?').run(task);
      const state = this.indexState;
      this.#database
        .prepare('DELETE FROM metas WHERE id <> ? AND id NOT IN (SELECT meta FROM marks WHERE meta IS NOT NULL)')
        .run(state?.meta ?? '');
    });
  }

  /** Lists who has begun and not ended. It is read at every snapshot, so it must not take the whole journal. */
  #follow({ writer, moment }: NewSnapshotMark, seq: number | bigint): void {
    const key = buildWriterKey(writer);
    if (moment === 'start') this.#database.prepare('INSERT OR REPLACE INTO open VALUES (?, ?)').run(key, seq);
    else this.#database.prepare('DELETE FROM open WHERE writer = ?').run(key);
  }

  #addLedger({ ledger }: NewSnapshotMark, seq: number | bigint): void {
    if (ledger === undefined || ledger === null) return;
    this.#database.prepare('INSERT INTO ledgers VALUES (?, ?)').run(seq, JSON.stringify(ledger));
  }

  #addMeta(meta: Meta): void {
    const json = JSON.stringify(meta);
    this.#database.prepare('INSERT OR IGNORE INTO metas (id, json) VALUES (?, ?)').run(metaId(meta), json);
  }

  #transaction(action: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      action();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #remember(key: string, value: string): void {
    if (this.#recall(key) === value) return;
    this.#database.prepare('INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)').run(key, value);
  }

  #recall(key: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM about WHERE key = ?').get(key);
    return row === undefined ? undefined : String(row['value']);
  }
}

function prepare(database: DatabaseSync): void {
  // One sync a commit: a start that a power cut could undo would let its changes look like somebody else's.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(schema);
}

/** The same for the same content. */
export const metaId = (meta: Meta): string => sha256(JSON.stringify(meta)).slice(0, 32);

function toMark(row: Record<string, SQLOutputValue>): JournalMark {
  const text = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);
  const process = text(row['process']);
  const ledger = text(row['ledger']);
  return {
    seq: Number(row['seq']),
    at: Number(row['at']),
    moment: String(row['moment']) as WriterMark['moment'],
    writer: { task: String(row['task']), subtask: text(row['subtask']), undo: row['undo'] === 1 },
    attempt: Number(row['attempt']),
    declared: JSON.parse(String(row['declared'])) as string[],
    tree: text(row['tree']),
    meta: text(row['meta']),
    gap: text(row['gap']),
    host: String(row['host']),
    process: process === null ? null : (JSON.parse(process) as JournalMark['process']),
    ledger: ledger === null ? null : (JSON.parse(ledger) as WriteLedger),
  };
}

const readState = (text: unknown): RepositoryChange['state'] =>
  text === 'created' || text === 'unsearched' ? text : 'changed';
