// Room for steering: per subtask and for the whole task. What does not fit is refused; what was taken is never dropped.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { eventsOf, isEvent } from '../../support/events.ts';
import { codeOf, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { namesOf, promptIn, until, witness } from '../../support/witness.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
const texts = (name: string): string[] =>
  Array.from({ length: limits.steeringTexts }, (_, n) => `${name} says ${n + 1}.`);

test('one more than fits is refused, for each subtask and for the task, and drops nothing of anybody', async () => {
  const workspace = rig.workspace();
  const first = `${witness}; until [ -e go ]; do sleep 0.05; done; echo done`;
  const task = await rig.start(
    shellPlan(
      { first: { sh: first }, a: { sh: ok, dependsOn: ['first'] }, b: { sh: ok, dependsOn: ['a'] } },
      { workspace },
    ),
  );
  await until(() => namesOf(workspace).length === 1);
  for (const text of texts('a')) await task.steer({ text, subtask: 'a' });
  expect(await codeOf(task.steer({ text: 'too much', subtask: 'a' }))).toBe('STEERING_FULL');
  for (const text of texts('b')) await task.steer({ text, subtask: 'b' });
  for (const text of texts('all')) await task.steer({ text });
  expect(await codeOf(task.steer({ text: 'too much' }))).toBe('STEERING_FULL');
  expect(await codeOf(task.steer({ text: 'too much', subtask: 'b' }))).toBe('STEERING_FULL');
  // A signal cannot be refused to its sender: it is written down.
  await rig.temporal.workflow.getHandle(task.workflowId).signal('steer', { text: 'too much' });
  expect((await eventOf(task, isEvent('message.refused'))).text).toContain('STEERING_FULL');
  writeFileSync(join(workspace, 'go'), '');
  expect(await endOf(task)).toBe('completed');
  const steered = eventsOf(await task.events(), 'task.steered').map(({ instruction }) => instruction);
  expect(steered).toEqual([...texts('a'), ...texts('b'), ...texts('all')]);
  const [a, b] = [promptIn(workspace, 'a'), promptIn(workspace, 'b')];
  for (const text of texts('all')) expect([a, b].every((prompt) => prompt.includes(text))).toBe(true);
  for (const text of texts('a')) expect([a.includes(text), b.includes(text)]).toEqual([true, false]);
  for (const text of texts('b')) expect([a.includes(text), b.includes(text)]).toEqual([false, true]);
  expect(`${a}${b}`).not.toContain('too much');
});
