// Results of a model's plan that nothing checked: a judge looks at them where there is one, else a person is asked after they are there.
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { eventsOf } from '../../support/events.ts';
import { finishes, goodPlan, plans, playModels, writes, type Entry } from './support.ts';

const rig = useRig();

const noPlan: Entry = { when: { role: 'planner' }, times: 9, reply: { text: 'no' } };
const says = (text: string): Entry => ({ when: { role: 'verifier' }, times: 9, reply: { text } });
const work = writes('execute-goal', 'notes.md', 'x\n');
/** Of a model that plans and works, and does not judge. */
const noJudge = 'roles = ["planner", "executor"]\n';

async function start(script: Entry[], { config = '', ...rest }: Partial<PlanInput> & { config?: string } = {}) {
  const workspace = rig.workspace();
  playModels(workspace, script, config);
  return rig.start({ goal: 'Write the notes', workspace, planning: { tries: 1 }, ...rest });
}

test('the goal as one subtask is judged, and a verdict that can be read is its check', async () => {
  const task = await start([noPlan, ...work, says('{"passed": true, "confidence": 0.9}')]);
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({ verdict: 'pass', judgement: { outcome: 'pass' } });
  expect(eventsOf(await task.events(), 'decision.opened')).toEqual([]);
});

test('a judge of the goal as one subtask that says no fails the attempt', async () => {
  const script = [noPlan, ...work, says('{"passed": false, "issues": ["there are no notes"]}')];
  const task = await start(script, { ladder: [{ tier: 'assigned' }] });
  expect(await endOf(task)).toBe('failed');
  expect(await task.attempts()).toMatchObject([{ outcome: 'failed', verdict: 'fail' }]);
});

test('where nobody can read the judge, a person is asked after it ran, and their yes completes it as unchecked', async () => {
  const task = await start([noPlan, ...work, says('done')]);
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ kind: 'approval', subtask: 'execute-goal', deadline: null });
  expect(decision.problem).toContain('nothing checked it');
  expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
  expect(await task.attempts()).toMatchObject([{ verdict: 'unchecked' }]);
  await task.decide({ decisionId: decision.id, option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ verdict: 'unchecked' }]);
});

test('without a model that judges a person is asked, and what they reject runs again with their words', async () => {
  const again: Entry = {
    when: { role: 'executor', subtask: 'execute-goal', attempt: 2, contains: 'The title is missing.' },
    reply: { calls: [{ tool: 'finish', input: { status: 'success', notes: 'x', deliverablesTouched: [] } }] },
  };
  const task = await start([noPlan, ...work, again], { config: noJudge });
  const { decision } = await eventOf(task, decisionOpened());
  await task.decide({ decisionId: decision.id, option: 'reject', instruction: 'The title is missing.' });
  const next = await eventOf(task, decisionOpened('execute-goal-2'));
  expect(next.decision.kind).toBe('approval');
  expect(await task.attempts()).toMatchObject([{ outcome: 'failed', category: 'quality' }, { verdict: 'unchecked' }]);
  await task.decide({ decisionId: next.decision.id, option: 'approve' });
  expect(await endOf(task)).toBe('completed');
});

test('`allowUnchecked` completes it without a question', async () => {
  const task = await start([noPlan, ...work], { config: noJudge, allowUnchecked: true });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ verdict: 'unchecked' }]);
  expect(eventsOf(await task.events(), 'decision.opened')).toEqual([]);
});

test('time alone never accepts it, and a policy that denies does not either', async () => {
  const proceeds = await start([noPlan, ...work], {
    config: noJudge,
    approval: { mode: 'auto', onTimeout: 'proceed', timeout: '500ms' },
  });
  const { decision } = await eventOf(proceeds, decisionOpened());
  expect(decision).toMatchObject({ kind: 'approval', deadline: null });
  const denies = await start([noPlan, ...work], {
    config: noJudge,
    approval: { mode: 'auto', onTimeout: 'deny', timeout: '500ms' },
  });
  expect(await endOf(denies)).toBe('failed');
  expect((await proceeds.status()).state).toBe('waiting');
});

test('what only reads is asked about where it is the last of the plan, and nowhere else', async () => {
  const [inspect] = goodPlan.subtasks;
  const executor = { kind: 'agent', tools: ['read_file'] };
  const reads = { subtasks: [inspect, { id: 'answer', description: 'Say it', dependsOn: ['inspect'], executor }] };
  const task = await start([...plans(reads), finishes('inspect'), finishes('answer')], { config: noJudge });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ kind: 'approval', subtask: 'answer' });
  expect(await task.attempts()).toMatchObject([{ subtask: 'inspect', verdict: 'unchecked' }, { subtask: 'answer' }]);
});

test('a result whose only check a person rejected is judged', async () => {
  const [inspect, notes] = goodPlan.subtasks;
  const { deliverables: _, ...rest } = notes ?? {};
  const plan = { subtasks: [inspect, { ...rest, verify: ['touch checked'] }] };
  const script = [...plans(plan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')];
  const task = await start([...script, says('{"passed": true, "confidence": 0.9}')], {
    config: '[gates]\nask = ["shell:touch"]\n',
  });
  const { decision } = await eventOf(task, decisionOpened());
  await task.decide({ decisionId: decision.id, option: 'reject' });
  expect(await endOf(task)).toBe('completed');
  expect((await task.attempts())[1]).toMatchObject({ verify: [], verdict: 'pass', judgement: { outcome: 'pass' } });
});

test("what a person's own plan leaves unchecked is not asked about", async () => {
  const task = await start([finishes('notes')], { subtasks: [{ id: 'notes', executor: 'agent' }] });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ verdict: 'unchecked' }]);
});
