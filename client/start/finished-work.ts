import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { FinishedSubtask } from '../../domain/types/reuse.ts';
import type { Stamp } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { readResult } from '../../domain/schema/result-schema.ts';
import type { PlanView } from '../../workflows/task/messages.ts';
import type { ReadStored } from '../follow/read-pages.ts';

/** Finished work as it is stored: which task did it, and the files that its result names. */
export interface StoredWork extends FinishedSubtask {
  task: string;
  /** Null when the result cannot be read here. */
  files: readonly Stamp[] | null;
}

/** Reads the completed work of a task, with the files that each result names. One by one: a result is small, a plan may have thousands. */
export async function storedWork(
  task: string,
  finished: readonly FinishedSubtask[],
  readStored: ReadStored,
): Promise<StoredWork[]> {
  const stored: StoredWork[] = [];
  for (const work of finished) {
    const result = readResult(await readStored(work.result).catch(unlessDamaged));
    // A result without a list of files named none; a list that cannot be read is something else.
    stored.push({ ...work, task: result?.task ?? task, files: result === undefined ? null : (result.files ?? []) });
  }
  return stored;
}

/** A damaged result is made again; an error of the disk may pass, and is reported. */
export function unlessDamaged(error: unknown): undefined {
  if (error instanceof HeddleError && error.code === 'STORE_DAMAGED') return undefined;
  throw error;
}

/** The definitions of a task: from its answer where they are small, else those of its pages that can be read here. */
export async function readDefinitions(
  { subtasks, pages }: Pick<PlanView, 'subtasks' | 'pages'>,
  readStored: ReadStored,
): Promise<Subtask[]> {
  const whole = subtasks.filter(isDefinition);
  if (whole.length > 0) return whole;
  const definitions: Subtask[] = [];
  for (const page of pages) definitions.push(...definitionsIn(await readStored(page)));
  return definitions;
}

const isDefinition = (row: PlanView['subtasks'][number]): row is Subtask => 'executor' in row;

/** A stored object is a page of a plan, unless another version stored it. */
function definitionsIn(content: unknown): Subtask[] {
  if (typeof content !== 'object' || content === null || !('subtasks' in content)) return [];
  return Array.isArray(content.subtasks) ? (content.subtasks as Subtask[]) : [];
}
