// The memory of a project: what one task learned helps the next one, and only in the same project.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';
import { told } from './typed-events.ts';

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

/** Fails for a person at once, unless somebody let it: the same failure in every task. */
const asks = 'test -e allowed && { echo done; exit 0; }; echo "error: not allowed" >&2; exit 77';
const holds = 'until [ -e go ]; do sleep 0.05; done; echo done';

/** A task that asks, is told `skip` for every failure like it, and ends. What it was told stands in its project. */
async function tellToSkip(project: string): Promise<string> {
  const task = await rig.start(shellPlan({ ask: { sh: asks } }, { project }));
  await eventOf(task, decisionOpened('ask-1'));
  await task.decide({ decisionId: 'ask-1', option: 'skip', scope: 'signature', by: 'ana' });
  await endOf(task);
  await until(async () => (await rig.client.project(project).memory()).answers.length === 1);
  return (await rig.client.project(project).memory()).answers[0]?.signature ?? '';
}

describe('a standing answer that a person forgot while a task ran (bug: it came back when the task ended)', () => {
  test('stays forgotten when the task had only inherited it, and used it', async () => {
    const project = `f-${process.pid}-${Date.now()}`;
    const signature = await tellToSkip(project);
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ ask: { sh: asks }, hold: { sh: holds } }, { project, workspace }));
    await told(task, 'subtask.skipped', ({ subtask }) => subtask === 'ask');
    await rig.client.project(project).forget(signature);
    writeFileSync(join(workspace, 'go'), '');
    await endOf(task);
    expect(await rig.client.project(project).memory()).toEqual({ project, signatures: [], answers: [], lessons: [] });
  });

  test('stays forgotten when the task was told it before, and is learned when it is told after', async () => {
    const project = `g-${process.pid}-${Date.now()}`;
    const signature = await tellToSkip(project);
    await rig.client.project(project).forget(signature);
    const workspace = rig.workspace();
    const plan = { ask: { sh: asks }, hold: { sh: holds } };
    const early = await rig.start(shellPlan(plan, { project, workspace }));
    await eventOf(early, decisionOpened('ask-1'));
    await early.decide({ decisionId: 'ask-1', option: 'skip', scope: 'signature', by: 'bo' });
    const again = await tellToSkip(project);
    expect(again).toBe(signature);
    await rig.client.project(project).forget(signature);
    writeFileSync(join(workspace, 'go'), '');
    await endOf(early);
    expect((await rig.client.project(project).memory()).answers).toEqual([]);
    await tellToSkip(project);
    expect((await rig.client.project(project).memory()).answers).toMatchObject([{ signature, option: 'skip' }]);
  });
});

test('an answer for a failure without words stands for its own subtask, not for other silent failures', async () => {
  const project = `s-${process.pid}-${Date.now()}`;
  const rest = { project, ladder: [{ tier: 'assigned' as const }, { person: true }] };
  const first = await rig.start(shellPlan({ lint: { sh: 'exit 1' } }, rest));
  await eventOf(first, decisionOpened('lint-1'));
  await first.decide({ decisionId: 'lint-1', option: 'skip', scope: 'signature', by: 'ana' });
  await endOf(first);
  await until(async () => (await rig.client.project(project).memory()).answers.length === 1);
  const next = await rig.start(shellPlan({ lint: { sh: 'exit 1' }, deploy: { sh: 'exit 1' } }, rest));
  await told(next, 'subtask.skipped', ({ subtask }) => subtask === 'lint');
  await eventOf(next, decisionOpened('deploy-1'));
  await until(async () => (await next.status()).state === 'waiting');
  await next.decide({ decisionId: 'deploy-1', option: 'abort' });
  expect(await endOf(next)).toBe('cancelled');
  // A standing answer has the form of any other signature, and can be carried to another project.
  const memory = await rig.client.project(project).memory();
  const copy = await rig.client.project(`${project}-copy`).import(memory);
  expect(copy.answers).toMatchObject([{ option: 'skip' }]);
});
