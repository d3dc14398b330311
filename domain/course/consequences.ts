import type { AnsweredDecision } from '../model/decision.ts';
import type { TaskEvent } from '../model/events.ts';
import { independentOf, openBranch } from '../task/schedule.ts';
import { definitionOf, hasEnded, subtaskOf, type TaskState } from '../task/state.ts';

/** What follows from something that happened: more events, and whether the task is to be stopped. */
export interface Consequence {
  events: TaskEvent[];
  stop?: string;
}

const nothing: Consequence = { events: [] };

/** What an answer does beyond itself. Options that run a subtask again need nothing more. */
export function afterAnswer(state: TaskState, { decision, answer }: AnsweredDecision): Consequence {
  const who = answer.by ?? 'a person';
  const { subtask } = decision;
  switch (answer.option) {
    case 'abort':
    case 'stop':
      return { events: [], stop: `${who} stopped it` };
    case 'reject':
      return decision.kind === 'plan' ? { events: [], stop: `${who} did not approve the plan` } : nothing;
    case 'finish':
      return {
        events: openIds(state).map((id) => ({
          type: 'subtask.skipped',
          subtask: id,
          reason: `${who} chose to finish with what there is`,
        })),
      };
    case 'approve':
      return subtask === null ? nothing : { events: [complete(state, subtask, answer.by)] };
    case 'skip':
      return subtask === null
        ? nothing
        : { events: [{ type: 'subtask.skipped', subtask, reason: `${who} chose to go on without it` }] };
    case 'skip-branch':
      return subtask === null ? nothing : skipBranch(state, subtask, who);
    default:
      return nothing;
  }
}

function complete(state: TaskState, subtask: string, by: string | undefined): TaskEvent {
  const { verdict } = subtaskOf(state, subtask);
  return { type: 'subtask.completed', subtask, verdict: verdict ?? 'pass', ...(by === undefined ? {} : { by }) };
}

function skipBranch(state: TaskState, subtask: string, who: string): Consequence {
  const reason = `${who} chose to leave out the branch of ${subtask}`;
  return {
    events: [subtask, ...openBranch(state, subtask)].map((id) => ({ type: 'subtask.skipped', subtask: id, reason })),
  };
}

const openIds = (state: TaskState): string[] =>
  (state.task?.subtasks ?? [])
    .map(({ id }) => id)
    .filter((id) => {
      const { status } = subtaskOf(state, id);
      return !hasEnded(status) && status !== 'running';
    });

/** A failed subtask blocks what is behind it, and the synthesis that waits for everything but other syntheses. */
export function afterFailure(state: TaskState, failed: string): TaskEvent[] {
  const syntheses = definitionOf(state, failed).synthesis
    ? []
    : (state.task?.subtasks ?? []).filter(({ synthesis, id }) => synthesis && !hasEnded(subtaskOf(state, id).status));
  const behind = new Set([...openBranch(state, failed), ...syntheses.map(({ id }) => id)]);
  const independent = independentOf(state, failed);
  return [...behind].map((subtask) => ({
    type: 'subtask.blocked',
    subtask,
    reason: `it needs ${failed}, which failed.`,
    independent,
    waits: false,
  }));
}
