import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureFolder, replaceFile } from '../../activities/system/durable-file.ts';
import { sha256 } from '../../activities/system/hash-file.ts';
import { isSystemError, systemCode } from '../../activities/system/system-error.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';

const served = z.object({
  /** The server's own id of the namespace: addresses change, and a new database is another server. */
  id: z.string(),
  address: z.string(),
  namespace: z.string(),
  /** The service of this home itself. */
  local: z.boolean(),
  /** Milliseconds: when this home first and last did something for it. */
  from: z.number(),
  until: z.number(),
  /** When its open tasks were last asked for, and what they needed then. */
  looked: z.number().nullable(),
  openTasks: z.array(z.string()),
  keep: z.array(z.string()),
});

/** A server whose tasks this home has run. Several may share a home: the local service, and a worker of a fleet. */
export type Served = z.infer<typeof served>;

export type ServerIdentity = Pick<Served, 'id' | 'address' | 'namespace' | 'local'>;

const serversFolder = (root: string): string => join(root, 'servers');
const serverFile = (root: string, id: string): string => join(serversFolder(root), `${sha256(id).slice(0, 32)}.json`);

/** Lists all servers. A record that cannot be read is an error: nobody could say what its tasks need. */
export async function readServed(root: string): Promise<Served[]> {
  let names: string[];
  try {
    names = await readdir(serversFolder(root));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const files = names.filter((name) => name.endsWith('.json'));
  return Promise.all(files.map((name) => readOne(join(serversFolder(root), name))));
}

async function readOne(path: string): Promise<Served> {
  const parsed = served.safeParse(tryParseJson(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new HeddleError({
    code: 'STORE_DAMAGED',
    message: 'The record of a server that this home works for cannot be read',
    where: path,
    hint: 'If that server has no open task that ran here, delete the file.',
  });
}

/** Says that this home works for a server now; what is known of it already stays. */
export async function noteServed(root: string, server: Pick<Served, 'id'> & Partial<ServerIdentity>): Promise<void> {
  const now = Date.now();
  const record = (await readServed(root)).find(({ id }) => id === server.id);
  const fresh: Served = { address: '', namespace: '', local: false, ...server, ...empty, from: now, until: now };
  await write(root, record === undefined ? fresh : { ...record, ...server, until: now });
}

const empty = { looked: null, openTasks: [], keep: [] };

/** Objects that its open tasks need, as of `looked`, for those who prune this home on behalf of another server. */
export async function noteNeeds(
  root: string,
  server: ServerIdentity,
  needs: Pick<Served, 'openTasks' | 'keep'> & { looked: number },
): Promise<void> {
  const record = (await readServed(root)).find(({ id }) => id === server.id);
  const { from, until } = record ?? { from: needs.looked, until: needs.looked };
  await write(root, { ...server, from, until, ...needs });
}

export async function forgetServed(root: string, { id }: Pick<Served, 'id'>): Promise<void> {
  await rm(serverFile(root, id), { force: true });
}

async function write(root: string, server: Served): Promise<void> {
  await ensureFolder(serversFolder(root));
  await replaceFile(serverFile(root, server.id), JSON.stringify(server), { durable: true });
}

/** Objects that a server's tasks may have used since the last question for their needs. */
export function mayNeed({ from, until, looked }: Served, used: number): boolean {
  return used >= (looked ?? from) && used <= until + 2 * workerLimits.retention.noteServed;
}

/** Keeps the note fresh while activities run, without writing it for each. */
export class ServedNote {
  readonly #root: string;
  readonly #find: () => Promise<Pick<Served, 'id' | 'namespace'>>;
  #server: Pick<Served, 'id' | 'namespace'> | undefined;
  #noted = -Infinity;

  constructor(root: string, find: () => Promise<Pick<Served, 'id' | 'namespace'>>) {
    this.#root = root;
    this.#find = find;
  }

  /** An activity whose traces in the home belong to the server: noted before it leaves any, and after a long one. */
  around<I, O>(activity: (input: I) => Promise<O>): (input: I) => Promise<O> {
    return async (input) => {
      await this.#note();
      try {
        return await activity(input);
      } finally {
        // A note that could not be written undoes nothing.
        await this.#note().catch((error: unknown) => {
          if (!isSystemError(error)) throw error;
        });
      }
    };
  }

  async #note(): Promise<void> {
    if (performance.now() - this.#noted < workerLimits.retention.noteServed) return;
    this.#server ??= await this.#find();
    await noteServed(this.#root, this.#server);
    this.#noted = performance.now();
  }
}
