// Results that miss nothing but evidence, with judges that name it: the work goes on, and the evidence is looked for beside it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventOfTask } from '../../../client/index.ts';
import { eventsOf } from '../../support/events.ts';
import { endOf, eventOf, useRig } from '../../support/rig.ts';
import { linesIn, owingPlan, playJudges, type Missing } from './support.ts';

const rig = useRig();
const price: Missing[number] = ['the price'];

const remediationsOf = (events: readonly EventOfTask[], id: string): string[] =>
  events.flatMap((event) =>
    event.type.startsWith('remediation.') && 'subtask' in event && event.subtask === id
      ? [event.type.slice('remediation.'.length)]
      : [],
  );

test('owed evidence is looked for beside the work that goes on, and a try keeps the better result', async () => {
  const [workspace, beside] = [rig.workspace(), rig.workspace()];
  const subtasks = {
    // 10: two tries at once, then released; a follow-up finds it.
    confirmed: {
      missing: [price, price, price],
      remediation: { policy: 'confirm-or-prune-then-queue' as const },
    },
    after: { dependsOn: ['confirmed'], sh: 'cat > after-prompt.txt; echo ok > after.md' },
    // 16: the try brings in a claim that was not there.
    worse: { missing: [['a', 'b', 'c'], ['a', 'b', 'd'], ['b']] },
    // 18: the try breaks a verify command.
    broken: {
      missing: [price],
      sh: '[ $HEDDLE_ATTEMPT = 2 ] && echo BAD >> broken.md || echo "attempt $HEDDLE_ATTEMPT" >> broken.md',
      verify: ['! grep BAD broken.md'],
    },
    // 12: nobody finds it.
    spent: {
      missing: [price, price, price, price, price],
      sh: `cat > ${beside}/$HEDDLE_ATTEMPT.txt; echo "attempt $HEDDLE_ATTEMPT" >> spent.md`,
    },
    report: { synthesis: true, sh: 'cat spent.md broken.md worse.md confirmed.md > report.md' },
  };
  playJudges(workspace, subtasks);
  const task = await rig.start(owingPlan(subtasks, { workspace }));
  expect(await endOf(task)).toBe('completed');

  const events = await task.events();
  const { subtasks: shown, summary, remediations } = await task.status();
  expect(Object.fromEntries(shown.map(({ id, state, verdict }) => [id, `${state} ${verdict}`]))).toEqual({
    confirmed: 'completed pass',
    after: 'completed pass',
    worse: 'completed pass',
    broken: 'completed pass',
    spent: 'completed partial-verified',
    report: 'completed pass',
  });
  expect([summary, remediations]).toEqual(['6 subtasks done, spent without all evidence', []]);
  expect(remediationsOf(events, 'confirmed')).toEqual(['queued', 'done']);
  expect(remediationsOf(events, 'worse')).toEqual(['queued', 'done']);
  expect(remediationsOf(events, 'spent')).toEqual(['queued', 'failed']);
  const [queued] = eventsOf(events, 'remediation.queued').filter(({ subtask }) => subtask === 'spent');
  expect(queued).toMatchObject({ released: true, targets: ['the price'], reasons: ['evidence-gap'], blocking: false });

  // The dependent went on with the result as it was, told that it is not whole.
  expect(readFileSync(join(workspace, 'after-prompt.txt'), 'utf8')).toContain(
    '<dependency id="confirmed" status="partial">',
  );
  // A try is told what to find and to change nothing else.
  const prompt = readFileSync(join(beside, '5.txt'), 'utf8');
  expect(prompt).toContain('<remediation reasons="evidence-gap">');
  expect(prompt).toContain('<target>the price</target>');
  expect(readFileSync(join(beside, '1.txt'), 'utf8')).not.toContain('<remediation');

  // Changes of tries that made nothing better are undone; those that did are kept.
  expect(linesIn(workspace, 'worse.md')).toEqual(['attempt 1', 'attempt 3', 'attempt 4']);
  expect(linesIn(workspace, 'broken.md')).toEqual(['attempt 1', 'attempt 3']);
  expect(linesIn(workspace, 'spent.md')).toEqual(['attempt 1']);
  const attempts = await task.attempts();
  const ofSpent = attempts.filter(({ subtask }) => subtask === 'spent');
  expect(ofSpent.map(({ strategy }) => strategy)).toEqual(['first', ...Array.from({ length: 4 }, () => 'remediation')]);
  expect(eventsOf(events, 'subtask.started').filter(({ subtask }) => subtask === 'after')).toHaveLength(1);
  expect((await task.status()).budget.remediations?.used).toBe(3 + 3 + 2 + 4);
});

test('a critical result without evidence stops the task', async () => {
  const workspace = rig.workspace();
  const subtasks = {
    // 14: three tries.
    claims: { missing: [price, price, price, price], critical: true },
    done: {},
    slow: { sh: 'sleep 30; echo late > slow.md' },
  };
  playJudges(workspace, subtasks, { cancelGrace: '5s' });
  const task = await rig.start(owingPlan(subtasks, { workspace }));
  expect(await endOf(task)).toBe('failed');
  const { code, subtasks: shown } = await task.status();
  expect([code, shown.map(({ state }) => state)]).toEqual([
    'REMEDIATION_UNRESOLVED',
    ['failed', 'completed', 'skipped'],
  ]);
  expect(linesIn(workspace, 'claims.md')).toEqual(['attempt 1']);

  expect(remediationsOf(await task.events(), 'claims')).toEqual(['queued', 'failed']);
  const policies = {
    block: ['CRITICAL_FAILED', []],
    'queue-follow-up': ['REMEDIATION_UNRESOLVED', ['queued', 'expired']],
  };
  // 3 and 25: without a policy it stops at once; queued, it stops when its time is over.
  for (const [policy, [wanted, told]] of Object.entries(policies)) {
    const other = rig.workspace();
    playJudges(other, { claims: { missing: [price] } }, { remediationWait: '1h', remediationTtl: '300ms' });
    const remediation = { policy: policy as keyof typeof policies };
    const plan = owingPlan({ claims: { missing: [price], critical: true } }, { workspace: other, remediation });
    const stopped = await rig.start(plan);
    expect(await endOf(stopped)).toBe('failed');
    expect([(await stopped.status()).code, remediationsOf(await stopped.events(), 'claims')]).toEqual([wanted, told]);
  }
});

test('an item survives a pause, and ends with a task that is cancelled or finished by a person', async () => {
  const workspace = rig.workspace();
  const subtasks = { claims: { missing: [price] }, sure: { missing: [price], critical: true } };
  playJudges(workspace, subtasks, { remediationWait: '1h' });
  const task = await rig.start(owingPlan(subtasks, { workspace }));
  await eventOf(task, (event) => event.type === 'remediation.queued' && event.subtask === 'claims');
  await eventOf(task, (event) => event.type === 'remediation.queued' && event.subtask === 'sure');
  const before = await task.status();
  expect(before.subtasks.map(({ state }) => state)).toEqual(['remediating', 'remediating']);
  await task.pause();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await task.resume();
  const { remediations } = await task.status();
  for (const [index, item] of remediations.entries()) {
    const [was, is] = [before.remediations[index]?.dueAt ?? '', item.dueAt ?? ''];
    expect(Date.parse(is) - Date.parse(was)).toBeGreaterThan(900);
  }
  // 26 and 27.
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
  const { subtasks: shown } = await task.status();
  expect(shown.map(({ state, verdict }) => `${state} ${verdict}`)).toEqual([
    'completed partial-verified',
    'skipped null',
  ]);
  const events = await task.events();
  expect([remediationsOf(events, 'claims'), remediationsOf(events, 'sure')]).toEqual([
    ['queued', 'dropped'],
    ['queued', 'dropped'],
  ]);

  // 28: the budget is spent, and a person finishes with what there is.
  const other = rig.workspace();
  playJudges(other, { claims: { missing: [price] } }, { remediationWait: '1h' });
  const spends = owingPlan(
    { claims: { missing: [price], critical: true }, rest: { dependsOn: ['claims'], verification: 2, missing: [] } },
    { workspace: other, budget: { modelCalls: 1 } },
  );
  const finished = await rig.start(spends);
  const question = await eventOf(finished, ({ type }) => type === 'decision.opened');
  if (question.type !== 'decision.opened') throw new Error('no question');
  await finished.decide({ decisionId: question.decision.id, option: 'finish', by: 'ana' });
  expect(await endOf(finished)).toBe('completed');
  const waived = eventsOf(await finished.events(), 'remediation.waived');
  expect(waived).toMatchObject([{ subtask: 'claims', by: 'ana' }]);
});

test('work in a copy is merged before others go on with it, and a worse try in a copy is given up', async () => {
  const workspace = rig.workspace();
  const subtasks = {
    claims: { missing: [['a', 'b'], ['c'], ['b']], isolation: 'worktree' as const },
    after: { dependsOn: ['claims'], sh: 'cp claims.md after.md' },
  };
  playJudges(workspace, subtasks);
  const task = await rig.start(owingPlan(subtasks, { workspace }));
  expect(await endOf(task)).toBe('completed');
  expect(linesIn(workspace, 'after.md')[0]).toBe('attempt 1');
  expect(linesIn(workspace, 'claims.md')).toEqual(['attempt 1', 'attempt 3', 'attempt 4']);
});
