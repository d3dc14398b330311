// A model changes a plan while it runs: it adds, retargets and supersedes; what is finished stays; what it may not do is told to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import { eventsOf } from '../../support/events.ts';
import { codeOf, decisionOpened, endOf, eventOf, linesOf, shellPlan, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';
import { playModels, plans, type Entry } from './support.ts';

const rig = useRig();

/** Writes down that it ran, and stays until its description is another one. */
const untilRetargeted = 'echo "$HEDDLE_SUBTASK_ID" >> ran; grep -q "be short" && echo short > out.md || sleep 60';

async function start(
  script: Entry[],
  subtasks: Parameters<typeof shellPlan>[0],
  rest: Partial<PlanInput> = {},
): Promise<{ task: TaskHandle; workspace: string }> {
  const workspace = rig.workspace();
  playModels(workspace, script);
  return { task: await rig.start(shellPlan(subtasks, { workspace, ...rest })), workspace };
}

const ran = (workspace: string): string[] => linesOf(join(workspace, 'ran')).sort();

test('`steer` with `replan` adds, retargets what runs and supersedes; what is finished stays, and all that was used counts', async () => {
  const { task, workspace } = await start(
    plans({
      reason: 'It takes too long.',
      subtasks: [
        { id: 'done' },
        { id: 'slow', description: 'be short' },
        { id: 'last', dependsOn: ['done', 'extra'] },
        { id: 'extra', description: 'more', dependsOn: ['done'], verify: ['grep -q extra ran'] },
      ],
      superseded: [{ id: 'vain', reason: 'nobody reads it' }],
    }),
    {
      done: { sh: 'echo done | tee -a ran' },
      slow: { sh: untilRetargeted, deliverables: ['out.md'] },
      vain: { sh: untilRetargeted },
      last: { sh: 'echo last | tee -a ran', dependsOn: ['done', 'vain'] },
    },
    { executor: { kind: 'command', run: ['sh', '-c', 'echo extra | tee -a ran'] } },
  );
  await until(() => ran(workspace).length === 3);
  await eventOf(task, (event) => event.type === 'subtask.completed' && event.subtask === 'done');
  await task.steer({ text: 'make it shorter', replan: true });
  expect(await endOf(task)).toBe('completed');
  expect(ran(workspace)).toEqual(['done', 'extra', 'last', 'slow', 'slow', 'vain']);
  expect(readFileSync(join(workspace, 'out.md'), 'utf8')).toBe('short\n');
  const status = await task.status();
  expect(status).toMatchObject({
    planVersion: 2,
    subtasks: [
      { id: 'done', state: 'completed', attempts: 1 },
      { id: 'slow', state: 'completed', attempts: 2 },
      { id: 'vain', state: 'skipped', attempts: 1 },
      { id: 'last', state: 'completed', dependsOn: ['done', 'extra'] },
      { id: 'extra', state: 'completed', attempts: 1 },
    ],
    budget: { replans: { used: 1 }, modelCalls: { used: 1 } },
  });
  const events = await task.events();
  expect(eventsOf(events, 'plan.replaced')).toMatchObject([
    {
      planVersion: 2,
      reason: 'It takes too long.',
      added: ['extra'],
      retargeted: ['slow', 'last'],
      superseded: [{ id: 'vain', reason: 'nobody reads it' }],
    },
  ]);
  expect(eventsOf(events, 'outcome.stale').map(({ subtask }) => subtask)).toEqual(
    expect.arrayContaining(['slow', 'vain']),
  );
  expect((await task.attempts()).filter(({ subtask }) => subtask !== 'last' && subtask !== 'extra')).toMatchObject([
    { subtask: 'done', outcome: 'passed' },
    { subtask: 'slow', attempt: 1, outcome: 'cancelled' },
    { subtask: 'vain', attempt: 1, outcome: 'cancelled' },
    { subtask: 'slow', attempt: 2, outcome: 'passed' },
  ]);
  expect(await codeOf(task.steer({ text: 'again', replan: true }))).toBe('TASK_ENDED');
}, 30_000);

test('the answer `replan`: what breaks the rules is told to the model, and the subtask goes on by the new plan', async () => {
  const { task, workspace } = await start(
    [
      ...plans({ reason: 'Half of it.', subtasks: [{ id: 'hard', description: 'be short' }], superseded: [] }),
      {
        when: { role: 'planner', turn: 2, contains: '`first` is completed and stays' },
        reply: {
          text: JSON.stringify({
            reason: 'Half of it.',
            subtasks: [{ id: 'first' }, { id: 'hard', description: 'be short', verify: ['test -f out.md'] }],
          }),
        },
      },
    ],
    {
      first: { sh: 'echo ok' },
      hard: { sh: 'grep -q "be short" && echo short | tee out.md || exit 3', dependsOn: ['first'] },
    },
    { ladder: [{ tier: 'assigned' }, { person: true }] },
  );
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision.options.map(({ id }) => id)).toContain('replan');
  await task.decide({ decisionId: decision.id, option: 'replan', instruction: 'do half of it' });
  expect(await endOf(task)).toBe('completed');
  expect(readFileSync(join(workspace, 'out.md'), 'utf8')).toBe('short\n');
  expect(await task.status()).toMatchObject({ planVersion: 2, subtasks: [{ attempts: 1 }, { attempts: 2 }] });
}, 30_000);

test('a new plan that no try gives leaves the old one running, says so, and asks again whoever waited for it', async () => {
  const { task } = await start(
    [{ when: { role: 'planner' }, times: 9, reply: { text: '{"reason": "no", "subtasks": []}' } }],
    { stuck: { sh: 'exit 3' }, fine: { sh: 'sleep 1; echo ok' }, after: { sh: 'echo ok', dependsOn: ['fine'] } },
    { ladder: [{ tier: 'assigned' }, { person: true }] },
  );
  const { decision } = await eventOf(task, decisionOpened());
  await task.decide({ decisionId: decision.id, option: 'replan' });
  const failed = await eventOf(task, (event) => event.type === 'replan.failed');
  expect(failed).toMatchObject({ text: expect.stringContaining('the current one stays') as string });
  await eventOf(task, decisionOpened('stuck-2'));
  await eventOf(task, (event) => event.type === 'subtask.completed' && event.subtask === 'after');
  expect(await task.status()).toMatchObject({
    planVersion: 1,
    state: 'waiting',
    // The tries, and one look for words for the question.
    budget: { modelCalls: { used: 3 + 1 } },
  });
  expect((await task.status()).budget).not.toHaveProperty('replans');
  await task.decide({ decisionId: 'stuck-2', option: 'skip' });
  expect(await endOf(task)).toBe('completed');
}, 30_000);

test('without a model that plans there is no such option, and the message is refused', async () => {
  const task = await rig.start(
    shellPlan({ stuck: { sh: 'exit 3' } }, { ladder: [{ tier: 'assigned' }, { person: true }] }),
  );
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision.options.map(({ id }) => id)).not.toContain('replan');
  expect(await codeOf(task.steer({ text: 'go on', replan: true }))).toBe('REPLAN_NOT_POSSIBLE');
  await task.decide({ decisionId: decision.id, option: 'skip' });
  expect(await endOf(task)).toBe('completed');
});
