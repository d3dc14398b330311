// A task that is followed may need a person to continue: its events and its status tell.
import { expect, test } from 'vitest';
import type { EventOfTask } from '../../../client/index.ts';
import { PersonNeeded } from '../../../client/watch/person-needed.ts';
import { decision, status } from '../cli/shared/support.ts';

const paused = (id: number, by: 'escalations' | 'person'): EventOfTask => ({
  id,
  time: '2026-11-16T10:00:00.000Z',
  taskId: 't1',
  type: 'task.paused',
  text: 'paused',
  by,
  reason: '',
});

const noEvents = { events: () => Promise.reject(new Error('nothing is asked for')) };

const waiting = (lastEventId: number) => status({ state: 'waiting', decisions: [decision()], lastEventId });

test('a task that waits for an answer needs a person', async () => {
  expect(await new PersonNeeded(noEvents, 7).check(waiting(7))).toBe(true);
});

test('a status ahead of the events that were followed decides nothing yet', async () => {
  expect(await new PersonNeeded(noEvents, 7).check(waiting(8))).toBe('ahead');
});

test('a task without a question needs nobody', async () => {
  const running = status({ state: 'running', decisions: [decision()], lastEventId: 7 });
  const asksNothing = status({ state: 'waiting', decisions: [], lastEventId: 7 });
  const needed = new PersonNeeded(noEvents, 7);
  expect([await needed.check(running), await needed.check(asksNothing)]).toEqual([false, false]);
});

test('a task that escalations paused needs a person, and one that a person paused does not', async () => {
  const view = status({ state: 'paused', decisions: [decision()], lastEventId: 1 });
  const [byEscalations, byPerson] = [new PersonNeeded(noEvents, 0), new PersonNeeded(noEvents, 0)];
  byEscalations.event(paused(1, 'escalations'));
  byPerson.event(paused(1, 'person'));
  expect([await byEscalations.check(view), await byPerson.check(view)]).toEqual([true, false]);
});

test('who paused a task before it was followed is read from its older events', async () => {
  const view = status({ state: 'paused', decisions: [decision()], lastEventId: 9 });
  const older = { events: () => Promise.resolve([paused(3, 'escalations')]) };
  expect(await new PersonNeeded(older, 9).check(view)).toBe(true);
});
