// What looks at the result of a goal: checks that a model has to plan, verify commands of the task's end, and the project's own tests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { endOf, eventOf, useRig } from '../../support/rig.ts';
import { finishes, goodPlan, plans, playModels, startGoal, writes, type Entry } from './support.ts';

const rig = useRig();

const [inspect] = goodPlan.subtasks;
const noPlan: Entry = { when: { role: 'planner' }, times: 9, reply: { text: 'no' } };

test('a plan in which nothing checks a subtask uses a try, and the model is told which and what to add', async () => {
  const bare = { subtasks: [inspect, { id: 'notes', description: 'Write notes.md', dependsOn: ['inspect'] }] };
  const { task } = await startGoal(
    rig,
    [
      ...plans(bare),
      {
        when: { role: 'planner', turn: 2, contains: 'subtasks[1]: Nothing checks the result of `notes`. Add' },
        reply: { text: JSON.stringify(goodPlan) },
      },
      finishes('inspect'),
      ...writes('notes', 'notes.md', 'x\n'),
    ],
    { planning: { degraded: 'deny', tries: 2 } },
  );
  expect(await endOf(task)).toBe('completed');
  // Two plans, and three turns of agents.
  expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 5 } });
});

test('verify commands of the goal are a last subtask behind what a model planned', async () => {
  const { task } = await startGoal(
    rig,
    [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')],
    { verify: ['grep -q x notes.md'] },
  );
  expect(await endOf(task)).toBe('completed');
  const records = await task.attempts();
  expect(records.map(({ subtask }) => subtask)).toEqual(['inspect', 'notes', 'verify-goal']);
  expect(records[2]).toMatchObject({ verdict: 'pass', verify: [{ command: 'grep -q x notes.md', exit: 0 }] });
});

test('a goal whose verify command fails is not completed, and a person is asked after one attempt', async () => {
  const { task } = await startGoal(
    rig,
    [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')],
    { verify: ['grep -q y notes.md'] },
  );
  for await (const event of task.follow()) {
    if (event.type !== 'decision.opened') continue;
    expect(event.decision).toMatchObject({ kind: 'escalation', subtask: 'verify-goal' });
    await task.decide({ decisionId: event.decision.id, option: 'abort' });
  }
  expect(await endOf(task)).toBe('cancelled');
  expect((await task.attempts()).filter(({ subtask }) => subtask === 'verify-goal')).toHaveLength(1);
});

test('the goal as one subtask is checked with the verify commands of the goal', async () => {
  const { task } = await startGoal(rig, [noPlan, ...writes('execute-goal', 'notes.md', 'x\n')], {
    planning: { tries: 1 },
    verify: ['grep -q x notes.md'],
  });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ subtask: 'execute-goal', verify: [{ exit: 0 }] }]);
  expect(eventsOf(await task.events(), 'plan.degraded')).toMatchObject([{ checked: true }]);
});

test('the goal as one subtask says that it has no checks where there are none', async () => {
  const { task } = await startGoal(rig, [noPlan], { planning: { tries: 1, degraded: 'require-approval' } });
  for await (const event of task.follow()) {
    if (event.type === 'decision.opened') await task.decide({ decisionId: event.decision.id, option: 'reject' });
  }
  const [degraded] = eventsOf(await task.events(), 'plan.degraded');
  expect(degraded).toMatchObject({ checked: false });
  expect(degraded?.text).toContain('without checks');
});

/** A workspace that tests itself by `make test`, which is there once notes.md is. */
function projectWith(script: Entry[]): string {
  const workspace = rig.workspace();
  playModels(workspace, script);
  writeFileSync(join(workspace, 'Makefile'), 'test:\n\tgrep -q x notes.md\n');
  return workspace;
}

test("the project's own test command is proposed to the planner and checks the goal as one subtask", async () => {
  const workspace = projectWith([
    { when: { role: 'planner', turn: 1, contains: 'make test' }, reply: { text: 'no' } },
    ...writes('execute-goal', 'notes.md', 'x\n'),
  ]);
  const task = await rig.start({ goal: 'Write the notes', workspace, planning: { tries: 1 } });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ verify: [{ command: 'make test', exit: 0 }] }]);
  const [degraded] = eventsOf(await task.events(), 'plan.degraded');
  expect(degraded).toMatchObject({ checked: true });
  expect(degraded?.text).toContain('checked with `make test` (Makefile)');
});

test('a new plan cannot take away the check of the whole goal, nor add work that nothing checks', async () => {
  const reason = 'It is shorter.';
  const superseded = [{ id: 'notes', reason: 'short does it' }];
  const short = { id: 'short', description: 'Write short.md', dependsOn: ['inspect'] };
  const [known, whole] = [[{ id: 'inspect' }], { id: 'verify-goal' }];
  const { task } = await startGoal(
    rig,
    [
      ...plans(goodPlan),
      finishes('inspect'),
      { when: { role: 'executor', subtask: 'notes' }, reply: { text: 'hm', delay: '60s' } },
      {
        when: { role: 'planner', turn: 2 },
        reply: {
          text: JSON.stringify({
            reason,
            subtasks: [...known, short],
            superseded: [...superseded, { id: 'verify-goal', reason: 'it fails' }],
          }),
        },
      },
      {
        when: { role: 'planner', turn: 3, contains: '`verify-goal` checks the result of the whole goal and stays' },
        reply: { text: JSON.stringify({ reason, subtasks: [...known, short, whole], superseded }) },
      },
      {
        when: { role: 'planner', turn: 4, contains: 'Nothing checks the result of `short`.' },
        reply: {
          text: JSON.stringify({
            reason,
            subtasks: [...known, { ...short, deliverables: ['short.md'] }, whole],
            superseded,
          }),
        },
      },
      ...writes('short', 'short.md', 'x\n'),
    ],
    { verify: ['grep -q x short.md'] },
  );
  await eventOf(task, (event) => event.type === 'attempt.started' && event.subtask === 'notes');
  await task.steer({ text: 'make it short', replan: true });
  expect(await endOf(task)).toBe('completed');
  const records = (await task.attempts()).filter(({ outcome }) => outcome === 'passed');
  expect(records.map(({ subtask }) => subtask)).toEqual(['inspect', 'short', 'verify-goal']);
});

test('in a folder that nobody trusts the test command of the project is asked about before it runs', async () => {
  const workspace = rig.workspace();
  const home = rig.workspace();
  playModels(home, [noPlan, ...writes('execute-goal', 'notes.md', 'x\n')]);
  writeFileSync(join(workspace, 'Makefile'), 'test:\n\tgrep -q x notes.md\n');
  const config = { userFile: join(home, 'heddle.toml') };
  const task = await rig.start({ goal: 'Write the notes', workspace, planning: { tries: 1 }, config });
  const opened = await eventOf(task, (event) => event.type === 'decision.opened');
  expect(opened).toMatchObject({
    decision: { kind: 'approval', subtask: 'execute-goal', action: { arguments: { command: 'make test' } } },
  });
  expect(await task.attempts()).toEqual([]);
  await task.decide({ decisionId: 'execute-goal-1', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ verify: [{ command: 'make test', exit: 0 }] }]);
});

test('in a folder that nobody trusts a model cannot have the tests run unasked by another spelling', async () => {
  const workspace = rig.workspace();
  const home = rig.workspace();
  const [look, notes] = goodPlan.subtasks;
  const plan = { subtasks: [look, { ...notes, verify: ['cd . && make -s test'] }] };
  playModels(home, [...plans(plan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  writeFileSync(join(workspace, 'Makefile'), 'test:\n\tgrep -q x notes.md\n');
  const config = { userFile: join(home, 'heddle.toml') };
  const task = await rig.start({ goal: 'Write the notes', workspace, config });
  const opened = await eventOf(task, (event) => event.type === 'decision.opened');
  expect(opened).toMatchObject({
    decision: { kind: 'approval', subtask: 'notes', action: { arguments: { command: 'cd . && make -s test' } } },
  });
  await task.decide({ decisionId: 'notes-1', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
});
