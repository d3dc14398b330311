import { HeddleError, type Problem } from '../../domain/errors/heddle-error.ts';
import type { ProcessMode, ProcessSource } from '../../domain/types/process.ts';
import { isTrustedProcess, listEntries, type IsTrusted, type ProcessEntry } from './find-process.ts';
import type { ProcessPlace } from './process-folders.ts';
import { readProcessFile } from './read-process-file.ts';

/** A process as `heddle process list` shows it. */
export interface ProcessListing {
  name: string;
  from: ProcessSource;
  path: string;
  description: string | null;
  mode: ProcessMode | null;
  /** False for a process of a workspace that nobody trusts: it has no effect. */
  trusted: boolean;
  /** Sources of weaker processes of the same name. */
  replaces: ProcessSource[];
  /** The source of the stronger one, where there is one. */
  replacedBy: ProcessSource | null;
  /** The first problem of a file that cannot be used. */
  problem: Problem | null;
}

/** Lists all processes, also those that a stronger one replaces and those that cannot be used, by name and weakest first. */
export async function listProcesses(place: ProcessPlace, isTrusted: IsTrusted): Promise<ProcessListing[]> {
  const entries = await listEntries(place);
  const listed: ProcessListing[] = [];
  // One after the other: a folder has few of them.
  for (const [index, entry] of entries.entries()) {
    const same = (others: readonly ProcessEntry[]): ProcessEntry[] => others.filter(({ name }) => name === entry.name);
    listed.push({
      name: entry.name,
      from: entry.from,
      path: entry.path,
      ...(await look(entry, place, isTrusted)),
      replaces: same(entries.slice(0, index)).map(({ from }) => from),
      replacedBy: same(entries.slice(index + 1)).at(-1)?.from ?? null,
    });
  }
  return listed.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function look(
  { from, path }: ProcessEntry,
  { workspace }: ProcessPlace,
  isTrusted: IsTrusted,
): Promise<Pick<ProcessListing, 'description' | 'mode' | 'trusted' | 'problem'>> {
  try {
    const read = await readProcessFile(path);
    const { description, mode = 'guided' } = read.process.checked;
    const trusted = from !== 'workspace' || (await isTrustedProcess(read, workspace, isTrusted));
    return { description, mode, trusted, problem: null };
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    const { code, message, where, hint } = error.problems[0] ?? error.toJSON();
    const problem = {
      code,
      message,
      ...(where === undefined ? {} : { where }),
      ...(hint === undefined ? {} : { hint }),
    };
    return { description: null, mode: null, trusted: from !== 'workspace', problem };
  }
}
