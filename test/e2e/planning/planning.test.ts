// A goal in words becomes a plan by a model, whatever the model says first; nothing that it may not ask for is ever run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectFile } from '../../../activities/store/store-layout.ts';
import { endOf, useRig } from '../../support/rig.ts';
import { eventsOf } from '../../support/events.ts';
import { cyclicPlan, finishes, goodPlan, judges, plans, startGoal, writes } from './support.ts';

const rig = useRig();

const idsOf = (subtasks: readonly { id: string }[]): string[] => subtasks.map(({ id }) => id);

test('a cycle first, garbage second, a good plan third: three requests, and then the work is done and judged', async () => {
  const refusal = {
    passed: false,
    confidence: 0.9,
    issues: [{ message: 'The second change is not named.' }],
    feedback: 'Name the second change.',
  };
  const { task, workspace } = await startGoal(
    rig,
    [
      ...plans(cyclicPlan),
      // The model is told in the same conversation what is wrong with a plan.
      {
        when: { role: 'planner', turn: 2, contains: 'The dependencies form a cycle: a -> b -> a.' },
        reply: { text: 'I would rather talk about it.' },
      },
      { when: { role: 'planner', turn: 3 }, reply: { text: JSON.stringify(goodPlan) } },
      finishes('inspect'),
      ...writes('notes', 'notes.md', 'first\n', 1),
      ...writes('notes', 'notes.md', 'first and second\n', 2),
      { when: { role: 'verifier', subtask: 'inspect' }, reply: { text: '{"passed": true, "confidence": 0.9}' } },
      judges(refusal, 1),
      judges({ passed: true, confidence: 0.9 }, 2),
    ],
    { verification: 2 },
  );
  expect(await endOf(task)).toBe('completed');
  const status = await task.status();
  expect(idsOf(status.subtasks)).toEqual(['inspect', 'notes']);
  // 3 to plan, 1 for the first agent, 4 for the second, 3 judgements.
  expect(status.budget).toMatchObject({ modelCalls: { used: 11 } });
  expect((await task.attempts()).map(({ subtask, outcome }) => [subtask, outcome])).toEqual([
    ['inspect', 'passed'],
    ['notes', 'failed'],
    ['notes', 'passed'],
  ]);
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('first and second\n');
  // People read what planner and judges were told, and what they replied.
  const { items } = await task.allEvents();
  const kept = (ref = ''): string => readFileSync(objectFile(rig.storeFolder, ref), 'utf8');
  const planned = kept(eventsOf(items, 'plan.ready')[0]?.transcriptRef);
  expect(planned).toContain('The dependencies form a cycle: a -> b -> a.');
  expect(planned).toContain('## Reply 2 of all\n\nI would rather talk about it.');
  const judgement = (await task.attempts()).find(({ outcome }) => outcome === 'failed')?.judgement;
  expect(judgement?.votes).toMatchObject([{ passed: false, says: 'The second change is not named.' }]);
  expect(kept(judgement?.transcriptRef)).toContain('Name the second change.');
});

test('a plan that does not look first gets a root that only reads', async () => {
  const plan = { subtasks: [{ id: 'notes', description: 'Write notes.md', deliverables: ['notes.md'] }] };
  const { task } = await startGoal(rig, [...plans(plan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  expect(await endOf(task)).toBe('completed');
  const { subtasks = [] } = (await task.plan()) ?? {};
  expect(subtasks).toMatchObject([
    { id: 'inspect', dependsOn: [] },
    { id: 'notes', dependsOn: ['inspect'] },
  ]);
  expect(JSON.stringify(subtasks[0])).not.toContain('write_file');
});

test.each([
  ['allow', undefined],
  ['require-approval', 'plan-1'],
] as const)('without a plan, `degraded: %s` runs the whole goal as one subtask', async (degraded, decisionId) => {
  const { task } = await startGoal(
    rig,
    [
      { when: { role: 'planner' }, times: 9, reply: { text: 'no' } },
      ...writes('execute-goal', 'notes.md', 'x\n'),
      judges({ passed: true, confidence: 0.9 }, 1),
    ],
    { planning: { degraded, tries: 2 } },
  );
  for await (const event of task.follow()) {
    if (event.type !== 'decision.opened') continue;
    expect(event.decision).toMatchObject({ id: decisionId, kind: 'plan' });
    expect(await task.attempts()).toEqual([]);
    await task.decide({ decisionId: event.decision.id, option: 'approve' });
  }
  expect(await endOf(task)).toBe('completed');
  const events = await task.events();
  expect(eventsOf(events, 'plan.degraded')).toHaveLength(1);
  expect(eventsOf(events, 'decision.opened')).toHaveLength(decisionId === undefined ? 0 : 1);
  expect(await task.status()).toMatchObject({ subtasks: [{ id: 'execute-goal', state: 'completed' }] });
});

test('without a plan, `degraded: deny` fails the task with its code', async () => {
  const { task } = await startGoal(rig, [{ when: { role: 'planner' }, times: 9, reply: { text: 'no' } }], {
    planning: { degraded: 'deny' },
  });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ state: 'failed', code: 'PLAN_NOT_MADE', subtasks: [] });
});

test('what a model may not ask for in a plan is refused and never run', async () => {
  const bad = [
    { verify: ['rm -rf /'] },
    { executor: { kind: 'command', run: ['touch', 'ran'] } },
    { env: ['HOME'] },
    { executor: { kind: 'agent', env: ['HOME'] } },
    // A rule of its own for failures.
    { maxAttempts: 50 },
  ].map((more) => ({ subtasks: [goodPlan.subtasks[0], { ...goodPlan.subtasks[1], ...more }] }));
  // A reply that is not refused would be the plan.
  const { task, workspace } = await startGoal(rig, plans(...bad), {
    planning: { degraded: 'deny', tries: bad.length },
  });
  expect(await endOf(task)).toBe('failed');
  const status = await task.status();
  expect(status).toMatchObject({ code: 'PLAN_NOT_MADE', budget: { modelCalls: { used: bad.length } } });
  expect(await task.attempts()).toEqual([]);
  expect(existsSync(join(workspace, 'ran'))).toBe(false);
});

test('verify commands of a model run where commands of agents do, not as programs of the plan', async () => {
  const [inspect, notes] = goodPlan.subtasks;
  // Commands of agents have a terminal that can do nothing, programs of the plan have none.
  const verify = ['grep -q x notes.md', 'test "$TERM" = dumb', 'touch checked'];
  const { task } = await startGoal(rig, [
    ...plans({ subtasks: [inspect, { ...notes, verify }] }),
    finishes('inspect'),
    ...writes('notes', 'notes.md', 'x\n'),
  ]);
  expect(await endOf(task)).toBe('completed');
  const [, record] = await task.attempts();
  expect(record).toMatchObject({ verify: [{ exit: 0 }, { exit: 0 }, { exit: 0 }] });
  const { subtasks = [] } = (await task.plan()) ?? {};
  expect(subtasks[1]).toMatchObject({ verifyInSandbox: true });
});

test('a provider that is busy uses no try, and is given the time that it asks for', async () => {
  const began = Date.now();
  const first = (reply: Record<string, unknown>) => ({ when: { role: 'planner', turn: 1 }, reply });
  const { task } = await startGoal(
    rig,
    [
      first({ status: 503, retryAfter: 0 }),
      first({ status: 429, retryAfter: '3s' }),
      ...plans(goodPlan),
      finishes('inspect'),
      ...writes('notes', 'notes.md', 'x\n'),
    ],
    { planning: { tries: 1, degraded: 'deny' } },
  );
  expect(await endOf(task)).toBe('completed');
  expect(Date.now() - began).toBeGreaterThan(3_000);
  // One that planned, three turns of agents: what a provider did not take up is not counted.
  expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 4 } });
});
