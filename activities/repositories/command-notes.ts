import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive, readIdentity, type ProcessIdentity } from '../programs/process-identity.ts';
import { ensureFolder, replaceFile } from '../system/durable-file.ts';
import type { PathKey } from '../workspace/git/path-key.ts';
import type { RepositoryFacts } from './read-repository.ts';
import type { KeptRepositories, SeenRepositories } from './watch-repositories.ts';

/** The state before a command, for commands that begin meanwhile, and for a worker that finds that this one's worker died before it looked again. */
export interface CommandNote {
  task: string;
  subtask: string;
  before: SeenRepositories;
  kept: KeptRepositories;
}

interface WrittenNote {
  process: ProcessIdentity | null;
  task: string;
  subtask: string;
  before: [PathKey, RepositoryFacts | string][];
  keptFolders?: [PathKey, string][];
}

/** Gives what removes it again. */
export async function writeCommandNote(folder: string, note: CommandNote): Promise<() => Promise<void>> {
  const place = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.json`);
  const written: WrittenNote = {
    process: readIdentity(process.pid) ?? null,
    task: note.task,
    subtask: note.subtask,
    before: [...note.before],
    keptFolders: [...note.kept],
  };
  await ensureFolder(folder);
  await replaceFile(place, JSON.stringify(written), { durable: false });
  return () => rm(place, { force: true });
}

/** Notes of commands that still run, and of those whose worker died before it looked again. */
export async function readCommandNotes(folder: string): Promise<CommandNote[]> {
  return (await readNotes(folder)).map(({ note }) => note);
}

/** Notes of processes that are gone. A note that a power cut left half written is skipped. */
export async function findLeftNotes(folder: string): Promise<{ note: CommandNote; remove: () => Promise<void> }[]> {
  const notes = await readNotes(folder);
  return notes.filter(({ process: writer }) => writer === null || !isAlive(writer));
}

interface ReadNote {
  process: ProcessIdentity | null;
  note: CommandNote;
  remove: () => Promise<void>;
}

async function readNotes(folder: string): Promise<ReadNote[]> {
  const notes: ReadNote[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const place = join(folder, name);
    const written = name.endsWith('.json') ? await readNote(place) : undefined;
    if (written === undefined) continue;
    const { task, subtask } = written;
    const note = { task, subtask, before: new Map(written.before), kept: new Map(written.keptFolders) };
    notes.push({ process: written.process, note, remove: () => rm(place, { force: true }) });
  }
  return notes;
}

async function readNote(place: string): Promise<WrittenNote | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as WrittenNote;
  } catch {
    return undefined;
  }
}
