import type { PlanPageContent } from '../domain/model/plan.ts';
import type { Ref } from '../domain/model/ref.ts';
import type { FinishedSubtask } from '../domain/model/reuse.ts';
import type { Subtask } from '../domain/model/subtask.ts';
import { parseResult } from '../domain/schema/result-schema.ts';
import type { KnownWork } from '../domain/task/reuse.ts';
import type { PlanView } from '../workflows/messages.ts';

type ReadObject = (ref: Ref) => Promise<Uint8Array | undefined>;

/** What a task completed, with the files that each result names. One by one: a result is small, a plan may have thousands. */
export async function knownWork(finished: readonly FinishedSubtask[], readObject: ReadObject): Promise<KnownWork[]> {
  const known: KnownWork[] = [];
  for (const work of finished) {
    const bytes = await readObject(work.result);
    const result = bytes === undefined ? undefined : parseResult(bytes);
    // A result without a list of files named none; one that cannot be read is something else.
    known.push({ ...work, files: result === undefined ? null : (result.files ?? []) });
  }
  return known;
}

/** The definitions of a task: from its answer where they are small, else those of its pages that can be read here. */
export async function readDefinitions(
  { subtasks, pages }: Pick<PlanView, 'subtasks' | 'pages'>,
  readObject: ReadObject,
): Promise<Subtask[]> {
  const [first] = subtasks;
  if (first === undefined || 'executor' in first) return subtasks.filter(isDefinition);
  const found: Subtask[] = [];
  for (const page of pages) found.push(...definitionsIn(await readObject(page)));
  return found;
}

const isDefinition = (row: PlanView['subtasks'][number]): row is Subtask => 'executor' in row;

/** Its bytes are what was stored: a page of a plan, unless another version stored it. */
function definitionsIn(bytes: Uint8Array | undefined): Subtask[] {
  if (bytes === undefined) return [];
  const content = JSON.parse(new TextDecoder().decode(bytes)) as Partial<PlanPageContent>;
  return Array.isArray(content.subtasks) ? content.subtasks : [];
}
