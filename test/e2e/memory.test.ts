// The memory of a project: what one task learned helps the next one, and only in the same project.
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../support/rig.ts';

const rig = useRig();

/** Fails below tier 2 with the same words but another number each time. */
const needsTier2 = 'test "$HEDDLE_TIER" -ge 2 && { echo done; exit 0; }; echo "error: too hard at line $$" >&2; exit 1';

async function rungsOf(project: string): Promise<number[]> {
  const task = await rig.start(shellPlan({ hard: { sh: needsTier2 } }, { project }));
  expect(await endOf(task)).toBe('completed');
  return (await task.attempts()).map(({ rung }) => rung);
}

test('the second task of a project goes to the rung that fixed the failure; forgetting it changes that', async () => {
  const project = `p-${process.pid}-${Date.now()}`;
  expect(await rungsOf(project)).toEqual([1, 2, 3]);
  const memory = await rig.client.project(project).memory();
  expect(memory.signatures).toMatchObject([{ type: 'tool-failed', count: 2, fixedAtRung: 3 }]);
  expect(await rungsOf(project)).toEqual([1, 3]);
  expect(await rungsOf(`${project}-other`)).toEqual([1, 2, 3]);
  const signature = memory.signatures[0]?.signature ?? '';
  expect((await rig.client.project(project).forget(signature)).signatures).toEqual([]);
  expect(await rungsOf(project)).toEqual([1, 2, 3]);
});

test('a hint that a person gave comes with the rung', async () => {
  const project = `h-${process.pid}-${Date.now()}`;
  await rungsOf(project);
  const [known] = (await rig.client.project(project).memory()).signatures;
  await rig.client.project(project).set({ signature: known?.signature ?? '', rung: 4, hint: 'think of the line' });
  const task = await rig.start(
    shellPlan({ hard: { sh: `cat > prompt.txt; ${needsTier2}` } }, { project, workspace: rig.workspace() }),
  );
  expect(await endOf(task)).toBe('completed');
  const attempts = await task.attempts();
  expect(attempts.map(({ rung, strategy }) => [rung, strategy])).toEqual([
    [1, 'first'],
    [4, 'remembered'],
  ]);
});

test('an unknown signature cannot be forgotten, and a memory can be carried to another project', async () => {
  const project = `x-${process.pid}-${Date.now()}`;
  await rungsOf(project);
  await expect(rig.client.project(project).forget('timeout-00000000')).rejects.toMatchObject({
    code: 'SIGNATURE_NOT_FOUND',
  });
  await expect(rig.client.project('nobody-knows-it').forget('timeout-00000000')).rejects.toMatchObject({
    code: 'PROJECT_NOT_FOUND',
  });
  const other = rig.client.project(`${project}-copy`);
  await other.import(await rig.client.project(project).memory());
  expect(await rungsOf(`${project}-copy`)).toEqual([1, 3]);
});
