import type { Stamp } from '../types/basic/ref.ts';
import type { FinishedSubtask, LeftState } from '../types/reuse.ts';
import type { Subtask } from '../types/subtask.ts';

/** Finished work, and the files that its result names; null when the result cannot be read here. */
export interface KnownWork extends FinishedSubtask {
  files: readonly Stamp[] | null;
  /** All that it changed in the workspace, as far as snapshots tell, compared with what is there now. */
  left: LeftState;
}

export interface ReuseQuestion {
  /** `subtasks` are the definitions that can be read here. */
  before: { goal: string; subtasks: readonly Subtask[]; finished: readonly KnownWork[] };
  after: { goal: string; subtasks: readonly Subtask[] };
  /** Deliverables that are not as their subtask left them. */
  changedFiles: ReadonlySet<string>;
  /** This one and all behind it run again. */
  from?: string;
}

export interface ReuseAnswer {
  reused: FinishedSubtask[];
  runs: { id: string; why: string }[];
}

/** The facts that make a result: a change of any of these asks for a new one. Ladder and attempts only say how hard to try. */
const matters = [
  'description',
  'dependsOn',
  'executor',
  'deliverables',
  'verify',
  'criteria',
  'advice',
  'requiredSections',
  'rules',
  'evidence',
  'diff',
  'contractCheck',
  'toolFailures',
  'role',
  'persona',
  'allowPartial',
  'verification',
  'voting',
  'synthesis',
] as const satisfies readonly (keyof Subtask)[];

/** Finds the finished subtasks that can be taken over: same definition, same inputs, files as they were left. Says why the others run. */
export function planReuse(question: ReuseQuestion): ReuseAnswer {
  const { before, after } = question;
  const finished = new Map(before.finished.map((subtask) => [subtask.id, subtask]));
  const definitions = new Map(before.subtasks.map((subtask) => [subtask.id, subtask]));
  const reasons = new Map<string, string>();
  const normalReused = (): boolean => after.subtasks.every(({ id, synthesis }) => synthesis || !reasons.has(id));
  // A synthesis reads what all the others made, so it is looked at last.
  for (const subtask of orderForReuse(after.subtasks)) {
    const why = whyNot(question, subtask, finished.get(subtask.id), definitions.get(subtask.id), reasons);
    if (why !== undefined) reasons.set(subtask.id, why);
    else if (subtask.synthesis && !normalReused()) reasons.set(subtask.id, 'a subtask that it combines runs again');
  }
  return {
    reused: after.subtasks.flatMap(({ id: name }) => {
      const work = reasons.has(name) ? undefined : finished.get(name);
      return work === undefined ? [] : [pickFinished(work)];
    }),
    runs: after.subtasks.flatMap(({ id }) => (reasons.has(id) ? [{ id, why: reasons.get(id) ?? '' }] : [])),
  };
}

const pickFinished = ({ id, verdict, result, evidence }: FinishedSubtask): FinishedSubtask => ({
  ...{ id, verdict, result },
  ...(evidence === undefined ? {} : { evidence }),
});

function whyNot(
  question: ReuseQuestion,
  subtask: Subtask,
  finished: KnownWork | undefined,
  old: Subtask | undefined,
  reasons: ReadonlyMap<string, string>,
): string | undefined {
  if (old === undefined)
    return finished === undefined ? 'it is new' : 'its earlier definition is not in the store of this machine';
  if (finished === undefined) return 'it was not completed';
  if (question.from === subtask.id) return 'you asked for it';
  if (question.before.goal !== question.after.goal) return 'the goal has changed';
  const changed = matters.find((key) => JSON.stringify(old[key]) !== JSON.stringify(subtask[key]));
  if (changed !== undefined) return `its ${changed} has changed`;
  const dependency = subtask.dependsOn.find((id) => reasons.has(id));
  if (dependency !== undefined) return `${dependency} runs again`;
  if (finished.files === null) return 'its result cannot be read from the store of this machine';
  const file = finished.files.find(({ path }) => question.changedFiles.has(path));
  if (file !== undefined) return `${file.path} has changed since`;
  if ('unknown' in finished.left) return 'no snapshots show whether its files are as it left them';
  return finished.left.changed === null ? undefined : `${finished.left.changed} has changed since`;
}

/** Dependencies first, syntheses last. The plan has no cycle: it was checked before. */
export function orderForReuse<Row extends Pick<Subtask, 'id' | 'dependsOn' | 'synthesis'>>(
  subtasks: readonly Row[],
): Row[] {
  const byId = new Map(subtasks.map((subtask) => [subtask.id, subtask]));
  const ordered = new Set<Row>();
  const open = [...subtasks].sort((a, b) => Number(a.synthesis) - Number(b.synthesis)).reverse();
  while (open.length > 0) {
    const next = open.at(-1);
    if (next === undefined) break;
    const missing = next.dependsOn
      .map((id) => byId.get(id))
      .filter((subtask) => subtask !== undefined && !ordered.has(subtask));
    if (missing.length > 0) open.push(...missing.filter((subtask) => subtask !== undefined));
    else {
      open.pop();
      ordered.add(next);
    }
  }
  return [...ordered];
}
