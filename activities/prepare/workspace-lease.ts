import { existsSync, mkdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { openDatabase } from '../store/open-database.ts';

/** A Temporal server with its namespace. */
export interface LeaseServer {
  /** Given by the server to its namespace: addresses change, and a new database is another server. */
  id: string;
  namespace: string;
}

/** A task and the folder it works in. */
export interface Lease {
  taskId: string;
  /** The server of the task: only that server knows whether it is open. */
  server: LeaseServer;
  /** Usually `task-<id>`; a bare Temporal client may have chosen another one. */
  workflowId: string;
  workspace: string;
}

export interface LeaseRequest extends Lease {
  /** Works beside the task that holds the folder. */
  share: boolean;
}

/**
 * Takes a lease of a folder for a task. A lease is never given back: a lease whose task is no longer open is void, so nothing that is
 * killed can leave a folder locked. `isOpen` asks the server of the request; it would know nothing about another server's task, which says
 * nothing about that task.
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
      if (holder.server.id !== request.server.id) throw busyElsewhere(holder, request, file);
      if (await isOpen(holder.workflowId)) throw busy(holder, request);
      leases.remove(holder);
    }
  } finally {
    leases.close();
  }
}

/** Leases of a folder, of one above it or of one below it. */
export function leasesIn(file: string, workspace: string): Lease[] {
  const leases = new Leases(file);
  try {
    return leases.all().filter((lease) => overlap(lease, { workspace }));
  } finally {
    leases.close();
  }
}

/** Gives up what the tasks of a server that is gone for good held. */
export function forgetLeases(file: string, server: Pick<LeaseServer, 'id'>): void {
  if (!existsSync(file)) return;
  const leases = new Leases(file);
  try {
    leases.removeAll(server);
  } finally {
    leases.close();
  }
}

/** The leases as a table: a transaction decides between two tasks that come at once, of whatever process. */
class Leases {
  private readonly database: DatabaseSync;

  constructor(file: string) {
    this.database = openDatabase(file, { timeout: activityLimits.leaseWait });
    this.database.exec(`CREATE TABLE IF NOT EXISTS server_lease
      (server TEXT NOT NULL, workflow TEXT NOT NULL, namespace TEXT NOT NULL, task TEXT NOT NULL, workspace TEXT NOT NULL,
      PRIMARY KEY (server, workflow)) STRICT`);
  }

  /** Takes the lease, or returns who holds the folder, one above it or one below it. */
  take(request: LeaseRequest): Lease | undefined {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const holder = request.share ? undefined : this.others(request).find((lease) => overlap(lease, request));
      if (holder === undefined) {
        const insert = this.database.prepare(
          'INSERT OR REPLACE INTO server_lease (server, workflow, namespace, task, workspace) VALUES (?, ?, ?, ?, ?)',
        );
        const { server, workflowId, taskId, workspace } = request;
        insert.run(server.id, workflowId, server.namespace, taskId, workspace);
      }
      this.database.exec('COMMIT');
      return holder;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  remove({ server, workflowId }: Lease): void {
    this.database.prepare('DELETE FROM server_lease WHERE server = ? AND workflow = ?').run(server.id, workflowId);
  }

  removeAll({ id }: Pick<LeaseServer, 'id'>): void {
    this.database.prepare('DELETE FROM server_lease WHERE server = ?').run(id);
  }

  close(): void {
    this.database.close();
  }

  private others({ server, workflowId }: Lease): Lease[] {
    return this.all().filter((lease) => lease.server.id !== server.id || lease.workflowId !== workflowId);
  }

  all(): Lease[] {
    const rows = this.database.prepare('SELECT * FROM server_lease').all();
    return rows.map(({ server: id, namespace, workflow, task, workspace }) => ({
      server: { id: String(id), namespace: String(namespace) },
      workflowId: String(workflow),
      taskId: String(task),
      workspace: String(workspace),
    }));
  }
}

/** Two folders of which one is or contains the other have the same files. */
function overlap(one: Pick<Lease, 'workspace'>, other: Pick<Lease, 'workspace'>): boolean {
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
    hint: `Wait for it (\`heddle watch ${holder.taskId}\`), cancel it, or share the workspace with \`--share-workspace\`.`,
  });
}

function busyElsewhere({ taskId, server }: Lease, request: LeaseRequest, file: string): HeddleError {
  return new HeddleError({
    code: 'WORKSPACE_BUSY',
    message: `The workspace is in use by the task ${taskId} of another Temporal server (namespace ${server.namespace}, id ${server.id}), which this one cannot ask`,
    where: request.workspace,
    hint: `Wait for it there, or share the workspace with \`--share-workspace\`. If that server is gone for good, delete ${file}.`,
  });
}
