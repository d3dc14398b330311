import type { Program } from './program.ts';
import type { LadderName, RandomTask } from './random-plan.ts';

export type SubtaskEnd = 'completed' | 'skipped' | 'failed' | 'blocked';

/** End that a subtask must have. */
export interface Expected {
  /** More than one where the order of two answers decides. */
  ends: SubtaskEnd[];
  /** In the order of the attempts. */
  attempts: ('passed' | 'failed')[];
  /** Questions, by their ids. */
  asked: string[];
  /** The question whose answer is still missing. */
  waits: string | null;
}

export interface ExpectedTask {
  state: 'completed' | 'failed';
  subtasks: Map<string, Expected>;
}

/** Failures of one signature that a ladder takes, and at its top after an answer: written down from the rules, not computed by them. */
const taken: Record<LadderName, { first: number; atTop: number }> = {
  short: { first: 2, atTop: 2 },
  whole: { first: 4, atTop: 3 },
};

/** What the programs and the answers that were taken lead to. Crashes, stops, pauses and steering have no place in it. */
export function expectedOf(task: RandomTask, answers: ReadonlyMap<string, string>): ExpectedTask {
  const subtasks = new Map<string, Expected>();
  const skippedBranches = new Set<string>();
  for (const program of task.programs) {
    const before = program.synthesis ? [...subtasks.keys()] : program.dependsOn;
    const ends = before.map((id) => subtasks.get(id)?.ends ?? []);
    const isBlocked = ends.some((some) => some.includes('failed') || some.includes('blocked'));
    const isSkipped = program.dependsOn.some((id) => skippedBranches.has(id));
    if (isSkipped) skippedBranches.add(program.id);
    if (isBlocked || isSkipped) {
      const reasons: SubtaskEnd[] = [
        ...(isSkipped ? ['skipped' as const] : []),
        ...(isBlocked ? ['blocked' as const] : []),
      ];
      subtasks.set(program.id, { ends: reasons, attempts: [], asked: [], waits: null });
      continue;
    }
    const { expected, branch } = followProgram(program, task.ladder, answers);
    if (branch) skippedBranches.add(program.id);
    subtasks.set(program.id, expected);
  }
  const isFailed = [...subtasks.values()].some(({ ends }) => ends.includes('failed') || ends.includes('blocked'));
  return { state: isFailed ? 'failed' : 'completed', subtasks };
}

function followProgram(
  program: Program,
  ladder: LadderName,
  answers: ReadonlyMap<string, string>,
): { expected: Expected; branch: boolean } {
  const expected: Expected = { ends: [], attempts: [], asked: [], waits: null };
  const end = (how: SubtaskEnd, branch = false) => ({ expected: { ...expected, ends: [how] }, branch });
  const { first, atTop } = taken[ladder];
  let [reached, failures, bound] = [0, 0, first];
  for (;;) {
    const ending = program.endings[expected.attempts.length];
    if (ending === undefined) {
      expected.attempts.push('passed');
      return end('completed');
    }
    expected.attempts.push('failed');
    if (ending === 'fail') {
      failures += 1;
      if (failures < bound) {
        reached = Math.max(reached, failures);
        continue;
      }
    }
    if (!program.person) return end('failed');
    const question = `${program.id}-${expected.asked.length + 1}`;
    expected.asked.push(question);
    const option = answers.get(question);
    if (option === undefined || option === 'abort')
      return { expected: { ...expected, waits: question }, branch: false };
    if (option === 'skip' || option === 'skip-branch') return end('skipped', option === 'skip-branch');
    // The rung that was reached stays, the counts begin again.
    failures = 0;
    bound = reached >= first - 1 ? atTop : first;
  }
}
