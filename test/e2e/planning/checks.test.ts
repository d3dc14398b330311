// Verify commands that a model planned: what a gate asks about waits for a person before its subtask starts, and runs only as they say.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, refusalOf, useRig } from '../../support/rig.ts';
import { eventsOf } from '../../support/events.ts';
import { finishes, goodPlan, playModels, plans, startGoal, writes } from './support.ts';

const rig = useRig();

/** A rule of the config asks about every `touch`. */
const asked = (command: string) => ({
  subtasks: [goodPlan.subtasks[0], { ...goodPlan.subtasks[1], verify: ['grep -q x notes.md', command] }],
});
const work = [finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')];

async function start(command: string) {
  const workspace = rig.workspace();
  playModels(workspace, [...plans(asked(command)), ...work], '[gates]\nask = ["shell:touch"]\n');
  const task = await rig.start({ goal: 'Write the notes', workspace });
  const { decision } = await eventOf(task, decisionOpened());
  return { task, workspace, decision };
}

test('an asked one opens an approval before its subtask starts, and runs once it is approved', async () => {
  const { task, workspace, decision } = await start('touch checked');
  expect(decision).toMatchObject({
    id: 'notes-1',
    kind: 'approval',
    subtask: 'notes',
    action: { tool: 'shell', arguments: { command: 'touch checked' } },
  });
  expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
  const { state, subtasks } = await task.status();
  expect({ state, notes: subtasks[1] }).toMatchObject({ state: 'waiting', notes: { state: 'waiting', attempts: 0 } });
  expect((await task.attempts()).map(({ subtask }) => subtask)).toEqual(['inspect']);
  await task.decide({ decisionId: 'notes-1', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  expect(existsSync(join(workspace, 'checked'))).toBe(true);
  const [, record] = await task.attempts();
  expect(record?.verify.map(({ command, exit }) => [command, exit])).toEqual([
    ['grep -q x notes.md', 0],
    ['touch checked', 0],
  ]);
});

test('a rejected one never runs, and the subtask is checked without it', async () => {
  const { task, workspace } = await start('touch checked');
  await task.decide({ decisionId: 'notes-1', option: 'reject' });
  expect(await endOf(task)).toBe('completed');
  expect(existsSync(join(workspace, 'checked'))).toBe(false);
  const [, record] = await task.attempts();
  expect(record?.verify.map(({ command }) => command)).toEqual(['grep -q x notes.md']);
});

test('an edited one runs as the person wrote it, and a value that is no command is refused', async () => {
  const { task, workspace } = await start('touch checked');
  const edit = (value: unknown) => refusalOf(task.decide({ decisionId: 'notes-1', option: 'edit', value }));
  for (const value of [undefined, 'touch mine', { command: ' ' }, { command: 'true', more: 1 }])
    expect((await edit(value))?.code).toBe('DECISION_NEEDS_VALUE');
  expect(await edit({ command: 'touch mine' })).toBeUndefined();
  expect(await endOf(task)).toBe('completed');
  expect([existsSync(join(workspace, 'checked')), existsSync(join(workspace, 'mine'))]).toEqual([false, true]);
});

test('what is allowed for good is not asked again', async () => {
  const { task, workspace } = await start('touch checked');
  await task.decide({ decisionId: 'notes-1', option: 'approve', scope: 'signature' });
  expect(await endOf(task)).toBe('completed');
  writeFileSync(join(workspace, 'notes.md'), '');
  const again = await rig.start({ goal: 'Write the notes', workspace });
  expect(await endOf(again)).toBe('completed');
  const events = await again.events();
  expect(eventsOf(events, 'decision.answered')).toMatchObject([{ option: 'approve', source: 'standing' }]);
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('x\n');
});

test('one that leads elsewhere when it runs than when it was planned is not run', async () => {
  const [inspect, notes] = goodPlan.subtasks;
  const plan = { subtasks: [inspect, { ...notes, verify: ['grep -q root kept/passwd'] }] };
  const link = { tool: 'shell', input: { command: 'ln -s /etc kept' } };
  const { task } = await startGoal(
    rig,
    [
      ...plans(plan),
      finishes('inspect'),
      { when: { role: 'executor', subtask: 'notes', turn: 1 }, reply: { calls: [link] } },
      {
        when: { role: 'executor', subtask: 'notes', turn: 2 },
        reply: { calls: [{ tool: 'write_file', input: { path: 'notes.md', content: 'x\n' } }] },
      },
      finishes('notes', 1, 3, ['notes.md']),
    ],
    { ladder: [{ tier: 'assigned' }] },
  );
  for await (const event of task.follow())
    if (event.type === 'decision.opened') await task.decide({ decisionId: event.decision.id, option: 'approve' });
  expect(await endOf(task)).toBe('failed');
  const [, record] = await task.attempts();
  expect(record).toMatchObject({ outcome: 'failed', verify: [{ exit: null }] });
});

/** A repository whose settings make git run a program that leaves a trace. */
function nameProgram(workspace: string): string {
  const trace = join(workspace, 'ran');
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: workspace });
  git('init', '-q');
  git('config', 'filter.made.clean', `sh -c 'touch ${trace}; cat'`);
  writeFileSync(join(workspace, '.gitattributes'), '* filter=made\n');
  return trace;
}

test('without a sandbox one whose git would run what the settings of a repository name is asked about', async () => {
  const workspace = rig.workspace();
  const [inspect, notes] = goodPlan.subtasks;
  const plan = { subtasks: [inspect, { ...notes, verify: ['grep -q x notes.md', 'git diff --stat'] }] };
  playModels(workspace, [...plans(plan), ...work], '[sandbox]\nmode = "off"\n');
  const trace = nameProgram(workspace);
  const task = await rig.start({ goal: 'Write the notes', workspace });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({
    kind: 'approval',
    action: { arguments: { command: 'git diff --stat' }, danger: 'code' },
  });
  await task.decide({ decisionId: decision.id, option: 'reject' });
  expect(await endOf(task)).toBe('completed');
  expect(existsSync(trace)).toBe(false);
});
