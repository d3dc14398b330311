import { mkdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HeddleError } from '../../domain/heddle-error.ts';
import { activityLimits } from '../limits.ts';

/** A task and the folder it works in. */
export interface Lease {
  taskId: string;
  /** Usually `task-<id>`; a bare Temporal client may have chosen another one. */
  workflowId: string;
  workspace: string;
}

export interface LeaseRequest extends Lease {
  /** Works beside whoever holds the folder. */
  share: boolean;
}

/**
 * Who works in which folder of this home. A lease is never given back: one whose task is no longer open is void, so nothing that is
 * killed can leave a folder locked. `isOpen` asks Temporal, the only one who knows.
 */
export async function takeLease(
  file: string,
  request: LeaseRequest,
  isOpen: (workflowId: string) => Promise<boolean>,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const leases = new Leases(file);
  try {
    // Each round either takes the lease, meets an open task, or removes a void lease that it saw.
    for (;;) {
      const holder = leases.take(request);
      if (holder === undefined) return;
      if (await isOpen(holder.workflowId)) throw busy(holder, request);
      leases.remove(holder);
    }
  } finally {
    leases.close();
  }
}

/** The leases as a table: a transaction decides between two tasks that come at once, of whatever process. */
class Leases {
  private readonly database: DatabaseSync;

  constructor(file: string) {
    this.database = new DatabaseSync(file, { timeout: activityLimits.leaseWait });
    this.database.exec(`CREATE TABLE IF NOT EXISTS lease
      (workflow TEXT PRIMARY KEY, task TEXT NOT NULL, workspace TEXT NOT NULL) STRICT`);
  }

  /** Takes the lease, or returns who holds the folder, one above it or one below it. */
  take(request: LeaseRequest): Lease | undefined {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const holder = request.share ? undefined : this.others(request).find((lease) => overlap(lease, request));
      if (holder === undefined) {
        const insert = this.database.prepare(
          'INSERT OR REPLACE INTO lease (workflow, task, workspace) VALUES (?, ?, ?)',
        );
        insert.run(request.workflowId, request.taskId, request.workspace);
      }
      this.database.exec('COMMIT');
      return holder;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  remove({ workflowId }: Lease): void {
    this.database.prepare('DELETE FROM lease WHERE workflow = ?').run(workflowId);
  }

  close(): void {
    this.database.close();
  }

  private others({ workflowId }: Lease): Lease[] {
    const rows = this.database
      .prepare('SELECT workflow, task, workspace FROM lease WHERE workflow <> ?')
      .all(workflowId);
    return rows.map(({ workflow, task, workspace }) => ({
      workflowId: String(workflow),
      taskId: String(task),
      workspace: String(workspace),
    }));
  }
}

/** Two folders of which one is or contains the other have the same files. */
function overlap(one: Lease, other: Lease): boolean {
  return contains(one.workspace, other.workspace) || contains(other.workspace, one.workspace);
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function busy(holder: Lease, request: LeaseRequest): HeddleError {
  const folder = holder.workspace === request.workspace ? '' : `, which works in ${holder.workspace}`;
  return new HeddleError({
    code: 'WORKSPACE_BUSY',
    message: `The workspace is in use by the task ${holder.taskId}${folder}`,
    where: request.workspace,
    hint: `Wait for it (\`heddle watch ${holder.taskId}\`), cancel it, or work beside it with \`--share-workspace\`.`,
  });
}
