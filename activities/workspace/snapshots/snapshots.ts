import { hostname } from 'node:os';

import { buildWriterKey } from '../../../domain/workspace/attribution.ts';
import type { WriteLedger } from '../../../domain/workspace/tool-writes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Writer } from '../../../domain/types/basic/workspace.ts';
import { isAlive, readIdentity } from '../../programs/process-identity.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { Journal, type NewSnapshotMark } from './journal.ts';
import { ShadowRepository } from '../git/shadow-repository.ts';
import type { JournalMark } from '../git/snapshot.ts';
import { asTrouble } from '../git/snapshot-trouble.ts';
import { takeSnapshot, type Taken, type Taking } from './take-snapshot.ts';
import { withWorkspaceLock } from './workspace-lock.ts';

export interface SnapshotParts {
  /** Heddle's home. */
  root: string;
  /** The environment of the worker or the command, which says where git is. */
  environment: PublicEnvironment;
}

/** The purpose of a snapshot. */
export interface Moment {
  writer: Writer;
  attempt: number;
  moment: 'start' | 'end';
  declared: string[];
  /** Paths that others declare in generated folders. */
  kept?: string[];
  /** The record of a writer that knows what it wrote. */
  ledger?: WriteLedger | null;
}

export const openRepository = ({ root, environment }: SnapshotParts, workspace: string): ShadowRepository =>
  new ShadowRepository({ root, workspace, path: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin' });

/**
 * Takes a snapshot and writes it into the workspace's journal. A snapshot that fails is written there as a gap; what went wrong is returned,
 * since no attempt may fail for it.
 */
export async function recordSnapshot(
  parts: SnapshotParts,
  workspace: string,
  moment: Moment,
  options: { timeout?: number; onlyIfOpen?: boolean } = {},
): Promise<string | undefined> {
  const repository = openRepository(parts, workspace);
  const deadline = performance.now() + (options.timeout ?? activityLimits.workspace.snapshotTimeout);
  try {
    return await withWorkspaceLock(repository.folder, deadline, async () => {
      if (options.onlyIfOpen === true && !isOpen(repository.folder, moment.writer)) return undefined;
      const taken = await tryTo(() =>
        snapshotNow(repository, deadline, { declared: [...moment.declared, ...(moment.kept ?? [])] }),
      );
      const { snapshot, trouble } =
        'trouble' in taken ? { ...taken, snapshot: undefined } : { ...taken, trouble: undefined };
      Journal.with(repository.folder, workspace, (journal) => {
        const mark = newMark(moment, snapshot, trouble ?? null);
        const lost = snapshot === undefined ? [] : lostMarks(journal.open(), moment.writer, mark);
        journal.add([mark, ...lost], snapshot === undefined ? [] : [snapshot.meta], snapshot?.state);
      });
      return trouble;
    });
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble === undefined) throw error;
    noteGap(repository, workspace, newMark(moment, undefined, trouble.message));
    return trouble.message;
  }
}

/** The workspace as it is now, in the repository but not in the journal. Only under the lock. */
export async function snapshotNow(repository: ShadowRepository, deadline: number, taking: Taking = {}): Promise<Taken> {
  const before = Journal.with(repository.folder, repository.workspace, (journal) => {
    const state = journal.indexState;
    const meta = state === undefined ? undefined : journal.meta(state.meta);
    return state === undefined || meta === undefined ? undefined : { state, meta };
  });
  return takeSnapshot(repository, before, deadline, taking);
}

export function newMark(moment: Moment, snapshot: Taken | undefined, gap: string | null): NewSnapshotMark {
  const { writer, attempt, declared, ledger } = moment;
  return {
    ...{ writer, attempt, moment: moment.moment, declared, ...(ledger === undefined ? {} : { ledger }) },
    at: Date.now(),
    tree: snapshot?.tree ?? null,
    meta: snapshot?.state.meta ?? null,
    gap,
    host: hostname(),
    process: readIdentity(process.pid) ?? null,
  };
}

/** Tells whether the process that wrote a mark still runs, which cannot be known of another machine's. */
export const isOurs = ({ host, process }: Pick<JournalMark, 'host' | 'process'>): boolean =>
  host !== hostname() || (process !== null && isAlive(process));

/** Lists work that others began and will not end: their process is dead, and nobody here owns their program, if it lives. */
function lostMarks(marks: readonly JournalMark[], writer: Writer, now: NewSnapshotMark): NewSnapshotMark[] {
  return marks
    .filter((mark) => (mark.writer.undo || mark.writer.task !== writer.task) && !isOurs(mark))
    .map(({ writer: other, attempt }) => ({
      ...now,
      writer: other,
      attempt,
      moment: 'lost',
      declared: [],
      ledger: null,
    }));
}

function isOpen(folder: string, writer: Writer): boolean {
  if (!Journal.exists(folder)) return false;
  return Journal.with(folder, undefined, (journal) =>
    journal.open().some((mark) => buildWriterKey(mark.writer) === buildWriterKey(writer)),
  );
}

async function tryTo(take: () => Promise<Taken>): Promise<{ snapshot: Taken } | { trouble: string }> {
  try {
    return { snapshot: await take() };
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble === undefined) throw error;
    return { trouble: trouble.message };
  }
}

/** Without the lock: SQLite keeps the order. If even that fails, the log alone knows. */
function noteGap(repository: ShadowRepository, workspace: string, mark: NewSnapshotMark): void {
  try {
    Journal.with(repository.folder, workspace, (journal) => journal.add([mark]));
  } catch (error) {
    if (asTrouble(error) === undefined) throw error;
  }
}
