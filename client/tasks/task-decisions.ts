import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { nearest } from '../../domain/text/nearest.ts';
import type { AnswerSource, Decision } from '../../domain/types/decision.ts';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { askToLook } from './ask-to-look.ts';

/** The answer that a question was given. */
export interface GivenAnswer {
  option: string;
  by: string | null;
  at: string;
  source: AnswerSource;
}

export type AskedDecision = Decision & { taskId: string; goal: string; answer?: GivenAnswer };

/** Reads the questions of a task, the oldest first: those that are open, those that were answered, or all. */
export async function readTaskDecisions(
  handle: TaskHandle,
  state: 'open' | 'answered' | 'all',
): Promise<AskedDecision[]> {
  const { id: taskId, goal, decisions } = await askToLook(() => handle.status());
  const open = decisions.map((decision) => ({ taskId, goal, ...decision }));
  if (state === 'open') return open;
  const openIds = new Set(decisions.map(({ id }) => id));
  const answered = listAnswered(await handle.events(), openIds).map((each) => ({ taskId, goal, ...each }));
  const questions: AskedDecision[] = state === 'answered' ? answered : [...answered, ...open];
  return questions.sort((a, b) => a.openedAt.localeCompare(b.openedAt));
}

/** Reads one question of a task. Throws `DECISION_NOT_FOUND` where the task never questions it. */
export async function readTaskDecision(handle: TaskHandle, decision: string): Promise<AskedDecision> {
  const open = (await readTaskDecisions(handle, 'open')).find(({ id }) => id === decision);
  if (open !== undefined) return open;
  const questions = await readTaskDecisions(handle, 'all');
  const answered = questions.find(({ id }) => id === decision);
  if (answered !== undefined) return answered;
  const near = nearest(
    decision,
    questions.map(({ id }) => id),
  );
  throw new HeddleError({
    code: 'DECISION_NOT_FOUND',
    message: `The task ${handle.id} has no decision ${decision}`,
    ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
  });
}

/** The words of a question may have been bettered after it was opened. */
function listAnswered(
  events: readonly EventOfTask[],
  open: ReadonlySet<string>,
): (Decision & { answer?: GivenAnswer })[] {
  const questions = new Map<string, Decision & { answer?: GivenAnswer }>();
  for (const event of events) {
    if (event.type === 'decision.opened') questions.set(event.decision.id, event.decision);
    if (event.type === 'decision.phrased') {
      const before = questions.get(event.decisionId);
      if (before !== undefined) questions.set(event.decisionId, { ...before, problem: event.problem });
    }
    if (event.type === 'decision.answered') {
      const before = questions.get(event.decisionId);
      const { option, by, time: at, source } = event;
      if (before !== undefined) questions.set(event.decisionId, { ...before, answer: { option, by, at, source } });
    }
  }
  return [...questions.values()].filter(({ id }) => !open.has(id));
}
