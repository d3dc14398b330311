// A deploy in the middle of a task: the worker goes away and another one comes.
import { describe, expect, test } from 'vitest';
import { codeOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { namesOf, promptIn, runsIn, until, witness } from '../support/witness.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

describe('a worker that is replaced', () => {
  test('while a subtask runs lets it finish, and the task goes on', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { slow: { sh: `${witness}; sleep 1.5; echo done` }, next: { sh: ok, dependsOn: ['slow'] } },
        { workspace },
      ),
    );
    await until(() => namesOf(workspace).length === 1);
    await rig.restartWorker();
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['slow', 'next']);
    expect((await task.attempts()).map(({ attempt, reruns }) => `${attempt}/${reruns}`)).toEqual(['1/0', '1/0']);
  });

  test('while a question waits takes the answer that is sent afterwards', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace }));
    await eventOf(task, decisionOpened());
    const before = await task.status();
    await rig.restartWorker();
    expect(await task.status()).toEqual(before);
    await task.decide({ decisionId: 'work-1', option: 'fix', instruction: 'ask again' });
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'work', 2)).toContain('ask again');
  });

  test('while a subtask waits for its next attempt keeps the wait', async () => {
    const workspace = rig.workspace();
    const sh = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] || echo done`;
    const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
    await eventOf(task, ({ type }) => type === 'attempt.failed');
    await rig.restartWorker();
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('while there is no worker', () => {
  test('a message gives up after a bounded wait and says so; a signal is stored and taken later', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: asks }, next: { sh: ok, dependsOn: ['work'] } }, { workspace }),
    );
    await eventOf(task, decisionOpened());
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
    await rig.restartWorker();
    await eventOf(task, ({ type }) => type === 'decision.answered');
    // The server may or may not have kept the pause that nobody waited for any more.
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['work', 'work', 'next']);
  });

  test('different answers that arrive together with the next worker are told apart: one is taken', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks }, other: { sh: asks } }, { workspace }));
    await eventOf(task, decisionOpened('work-1'));
    await eventOf(task, decisionOpened('other-1'));
    await rig.stopWorker();
    const answers = ['retry', 'skip', 'retry', 'skip', 'retry'].map((option) =>
      codeOf(task.decide({ decisionId: 'work-1', option, by: option })),
    );
    await rig.restartWorker();
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes.filter((code) => code === 'DECISION_ALREADY_ANSWERED')).toHaveLength(4);
    await task.decide({ decisionId: 'other-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    expect((await task.events()).filter(({ type }) => type === 'decision.answered')).toHaveLength(2);
  });
});
