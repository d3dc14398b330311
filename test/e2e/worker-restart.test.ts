// A deploy in the middle of a task: the worker goes away and another one comes.
import { expect, test } from 'vitest';
import { codeOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { namesOf, promptIn, runsIn, until, witness } from '../support/witness.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

test('a worker that is replaced lets what runs finish; a task goes on, takes the answer to its question, and keeps its wait', async () => {
  const [runs, asking, waits] = [rig.workspace(), rig.workspace(), rig.workspace()];
  const asked = await rig.start(shellPlan({ work: { sh: asks } }, { workspace: asking }));
  await eventOf(asked, decisionOpened());
  const before = await asked.status();
  // The first attempt leaves nothing at all, which is tried again after a wait.
  const sh = `[ $HEDDLE_ATTEMPT = 1 ] || { ${witness}; echo done; }`;
  const waiting = await rig.start(shellPlan({ work: { sh } }, { workspace: waits }));
  const goesOn = await rig.start(
    shellPlan(
      // It ends while the worker is asked to stop.
      { slow: { sh: `${witness}; sleep 1.5; echo done` }, next: { sh: ok, dependsOn: ['slow'] } },
      { workspace: runs },
    ),
  );
  await Promise.all([
    eventOf(waiting, ({ type }) => type === 'attempt.failed'),
    until(() => namesOf(runs).length === 1),
  ]);
  await rig.restartWorker();

  expect(await asked.status()).toEqual(before);
  await asked.decide({ decisionId: 'work-1', option: 'fix', instruction: 'ask again' });
  expect(await Promise.all([goesOn, asked, waiting].map(endOf))).toEqual(['completed', 'completed', 'completed']);
  expect(namesOf(runs)).toEqual(['slow', 'next']);
  expect((await goesOn.attempts()).map(({ attempt, reruns }) => `${attempt}/${reruns}`)).toEqual(['1/0', '1/0']);
  expect(promptIn(asking, 'work', 2)).toContain('ask again');
  expect(runsIn(waits).map(({ attempt }) => attempt)).toEqual([2]);
});

test('while there is no worker a message gives up after a bounded wait and says so; a signal is stored and taken later; of different answers that arrive together with the next worker one is taken', async () => {
  const [workspace, other] = [rig.workspace(), rig.workspace()];
  const task = await rig.start(shellPlan({ work: { sh: asks }, next: { sh: ok, dependsOn: ['work'] } }, { workspace }));
  const many = await rig.start(shellPlan({ work: { sh: asks }, other: { sh: asks } }, { workspace: other }));
  await eventOf(task, decisionOpened());
  await eventOf(many, decisionOpened('work-1'));
  await eventOf(many, decisionOpened('other-1'));
  await rig.stopWorker();
  const [paused, status] = await Promise.all([
    task.pause().catch((error: unknown) => error),
    task.status().catch((error: unknown) => error),
  ]);
  expect(paused).toMatchObject({ code: 'NO_WORKER', where: `task queue ${rig.taskQueue}` });
  expect((paused as Error).message).toContain('may still be taken');
  expect((paused as { hint: string }).hint).toContain('--signal');
  expect(status).toMatchObject({ code: 'NO_WORKER' });
  await task.decide({ decisionId: 'work-1', option: 'retry', by: 'ana' }, { signal: true });
  const answers = ['retry', 'skip', 'retry', 'skip', 'retry'].map((option) =>
    codeOf(many.decide({ decisionId: 'work-1', option, by: option })),
  );
  await rig.restartWorker();

  const codes = await Promise.all(answers);
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter((code) => code === 'DECISION_ALREADY_ANSWERED')).toHaveLength(4);
  await many.decide({ decisionId: 'other-1', option: 'skip' });
  await eventOf(task, ({ type }) => type === 'decision.answered');
  // The server may or may not have kept the pause that nobody waited for any more.
  await task.resume();
  expect(await Promise.all([task, many].map(endOf))).toEqual(['completed', 'completed']);
  expect(namesOf(workspace)).toEqual(['work', 'work', 'next']);
  expect((await many.events()).filter(({ type }) => type === 'decision.answered')).toHaveLength(2);
});

test('an answer that a worker passes over is sent again, and taken once', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace }));
  await eventOf(task, decisionOpened());
  await rig.stopWorker();
  const answered = task.decide({ decisionId: 'work-1', option: 'retry', by: 'ana' });
  // Another program on the same queue, which answers what it is given without a word on the update.
  const { workflowService: server } = rig.temporal;
  const identity = 'a worker without updates';
  const about = { namespace: 'default', identity };
  const given = await rig.temporal.withDeadline(Date.now() + 8_000, () =>
    server.pollWorkflowTaskQueue({ ...about, taskQueue: { name: rig.taskQueue } }),
  );
  expect(given.messages).toHaveLength(1);
  await server.respondWorkflowTaskCompleted({ ...about, taskToken: given.taskToken });
  await rig.restartWorker();
  expect(await answered).toMatchObject({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  expect((await task.events()).filter(({ type }) => type === 'decision.answered')).toHaveLength(1);
  expect(runsIn(workspace).map(({ attempt }) => attempt)).toEqual([1, 2]);
});
