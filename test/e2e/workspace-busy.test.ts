// One task holds a workspace: a second is refused by name, unless it shares; a killed one holds nothing.
import { expect, test } from 'vitest';
import { endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';

const rig = useRig();

const waiting = { ask: { sh: 'exit 78' } };
const quick = { work: { sh: 'echo done' } };

test('a second task on a held workspace is refused with the name of the first, and runs when that one has ended', async () => {
  const workspace = rig.workspace();
  const first = await rig.start(shellPlan(waiting, { workspace }));
  await eventOf(first, ({ type }) => type === 'decision.opened');
  const second = await rig.start(shellPlan(quick, { workspace }));
  await expect(second.result()).rejects.toMatchObject({
    code: 'WORKSPACE_BUSY',
    message: expect.stringContaining(first.id) as string,
  });
  expect(await endOf(second)).toBe('failed');
  await first.decide({ decisionId: 'ask-1', option: 'skip' });
  expect(await endOf(first)).toBe('completed');
  const third = await rig.start(shellPlan(quick, { workspace }));
  expect(await endOf(third)).toBe('completed');
});

test('one that is told to share runs beside the first', async () => {
  const workspace = rig.workspace();
  const first = await rig.start(shellPlan(waiting, { workspace }));
  await eventOf(first, ({ type }) => type === 'decision.opened');
  const second = await rig.start(shellPlan(quick, { workspace, shareWorkspace: true }));
  expect(await endOf(second)).toBe('completed');
});

test('the lease of a terminated task frees itself', async () => {
  const workspace = rig.workspace();
  const first = await rig.start(shellPlan(waiting, { workspace }));
  await eventOf(first, ({ type }) => type === 'decision.opened');
  await rig.temporal.workflow.getHandle(first.workflowId).terminate('killed');
  const second = await rig.start(shellPlan(quick, { workspace }));
  expect(await endOf(second)).toBe('completed');
});
