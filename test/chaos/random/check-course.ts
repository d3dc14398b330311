import { expect } from 'vitest';
import type { AttemptView, EventOfTask, StatusView } from '../../../client/index.ts';
import { expectedOf } from './model.ts';
import type { People, Sent } from './people.ts';
import type { RandomTask } from './random-plan.ts';

/** Facts of a task that has ended. */
export interface Course {
  task: RandomTask;
  events: EventOfTask[];
  attempts: AttemptView[];
  status: StatusView;
}

type Answered = Extract<EventOfTask, { type: 'decision.answered' }>;

const answeredIn = (events: readonly EventOfTask[]): Answered[] =>
  events.filter((event): event is Answered => event.type === 'decision.answered');

/** Every subtask and the task itself ended as the model says. */
export function checkAgainstModel({ task, events, attempts, status }: Course): void {
  const answers = new Map(answeredIn(events).map(({ decisionId, option }) => [decisionId, option]));
  const model = expectedOf(task, answers);
  const isWhole = status.state !== 'cancelled';
  const seen = Object.fromEntries(
    status.subtasks.map(({ id, state }) => [
      id,
      { state, attempts: outcomesOf(attempts, id), asked: askedOf(events, id) },
    ]),
  );
  if (!isWhole) return checkBegun(model, seen);
  expect(status.state).toBe(model.state);
  const expected = Object.fromEntries(
    [...model.subtasks].map(([id, { ends, attempts: outcomes, asked }]) => {
      const state = ends.find((end) => end === seen[id]?.state) ?? ends[0] ?? 'open';
      return [id, { state, attempts: outcomes, asked }];
    }),
  );
  expect(seen).toEqual(expected);
}

/** A task that was cancelled went a part of the way, and no other way. */
function checkBegun(
  { subtasks }: ReturnType<typeof expectedOf>,
  seen: Record<string, { state: string; attempts: string[]; asked: string[] }>,
): void {
  for (const [id, { state, attempts, asked }] of Object.entries(seen)) {
    const whole = subtasks.get(id);
    if (whole === undefined) throw new Error(`${id} is not in the plan`);
    const finished = attempts.filter((outcome) => outcome !== 'cancelled');
    expect({ id, attempts: finished }).toEqual({ id, attempts: whole.attempts.slice(0, finished.length) });
    expect({ id, asked }).toEqual({ id, asked: whole.asked.slice(0, asked.length) });
    const ends =
      finished.length === whole.attempts.length && whole.waits === null
        ? [...whole.ends, 'skipped']
        : ['skipped', 'blocked'];
    expect(ends, `${id} in a cancelled task`).toContain(state);
  }
}

const outcomesOf = (attempts: readonly AttemptView[], id: string): string[] =>
  attempts.filter(({ subtask }) => subtask === id).map(({ outcome }) => outcome);

const askedOf = (events: readonly EventOfTask[], id: string): string[] =>
  events.flatMap((event) => (event.type === 'decision.opened' && event.subtask === id ? [event.decision.id] : []));

/** A task is cancelled when somebody did it and something was left to cancel, and never by itself. */
export function checkCancelled({ events, status }: Course, cancelled: People['cancelled']): void {
  if (status.state === 'cancelled') {
    const isAborted = answeredIn(events).some(({ option }) => option === 'abort');
    expect(isAborted || cancelled !== 'no', 'nobody cancelled it').toBe(true);
  } else if (typeof cancelled === 'number') {
    const last = events.findLast(({ type }) => type !== 'task.ended')?.time ?? '';
    expect(Date.parse(last), 'a cancellation was lost').toBeLessThanOrEqual(cancelled);
  }
}

/** Events are numbered without gap or double, and what they tell could have happened in this order. */
export function checkEvents({ task, events }: Course): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)?.type).toBe('task.ended');
  const done = new Set<string>();
  const running = new Set<string>();
  const dependencies = new Map(
    task.programs.map((program) => [program.id, program.synthesis ? [] : program.dependsOn]),
  );
  for (const event of events) {
    if (event.type === 'attempt.started' || event.type === 'attempt.resumed') {
      expect(running.has(event.subtask), `${event.subtask} starts while it runs`).toBe(false);
      for (const before of dependencies.get(event.subtask) ?? []) expect(done, event.subtask).toContain(before);
      running.add(event.subtask);
      expect(running.size).toBeLessThanOrEqual(task.maxParallelSubtasks);
    } else if (event.type === 'subtask.completed' || event.type === 'subtask.skipped') {
      running.delete(event.subtask);
      done.add(event.subtask);
    } else if (
      event.type === 'attempt.passed' ||
      event.type === 'attempt.failed' ||
      event.type === 'attempt.suspended'
    ) {
      running.delete(event.subtask);
    }
  }
}

/** What people were told is what happened: an answer that was taken counts once, one that was refused does not. */
export function checkMessages({ events, status }: Course, sent: readonly Sent[]): void {
  const answered = answeredIn(events);
  const ids = answered.map(({ decisionId }) => decisionId);
  expect(ids, 'a question was answered twice').toEqual([...new Set(ids)]);
  const opened = events.flatMap((event) => (event.type === 'decision.opened' ? [event.decision.id] : []));
  expect(opened, 'a question was asked twice').toEqual([...new Set(opened)]);
  expect(opened).toEqual(expect.arrayContaining(ids));
  if (status.state !== 'cancelled') expect([...ids].sort()).toEqual([...opened].sort());
  const byName = new Map(answered.map((event) => [event.decisionId, event]));
  for (const { kind, by, decisionId = '', option, fate } of sent) {
    if (kind !== 'decide' || fate === 'unsure') continue;
    const event = byName.get(decisionId);
    if (fate === 'taken') expect(event, decisionId).toMatchObject({ by, option });
    else expect(event?.by, decisionId).not.toBe(by);
  }
  const steered = events.flatMap((event) => (event.type === 'task.steered' ? [event.instruction] : []));
  expect(steered, 'an instruction was taken twice').toEqual([...new Set(steered)]);
  for (const { kind, text = '', fate } of sent) {
    if (kind !== 'steer' || fate === 'unsure') continue;
    if (fate === 'taken') expect(steered).toContain(text);
    else expect(steered).not.toContain(text);
  }
}
