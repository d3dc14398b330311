// Messages to a task, at any moment, twice, out of order and wrong: exact refusals, nothing lost, the task unharmed.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TaskHandle } from '../../client/index.ts';
import { codeOf, currentDetailsOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { namesOf, promptIn, runsIn, until, witness } from '../support/witness.ts';
import { ofType, told } from './typed-events.ts';

const rig = useRig();

/** Asks a person after one run, and passes afterwards. */
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;
const ok = `${witness}; echo done`;

const bare = (task: TaskHandle) => rig.temporal.workflow.getHandle(task.workflowId);
const countOf = async (task: TaskHandle, type: string): Promise<number> =>
  (await task.events()).filter((event) => event.type === type).length;

describe('a refused message', () => {
  test('says why by its code and changes nothing', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace }));
    await eventOf(task, decisionOpened());
    const before = await task.events();
    const send = async (name: string, args: unknown[]): Promise<unknown> => {
      const [first, ...rest] = args;
      const sent =
        args.length === 0
          ? bare(task).executeUpdate(name)
          : bare(task).executeUpdate<unknown, [unknown, ...unknown[]]>(name, { args: [first, ...rest] });
      return sent.catch((error: unknown) => (error instanceof WorkflowUpdateFailedError ? error.cause : error));
    };
    const refused: [string, unknown[], string][] = [
      ['decide', [{ decisionId: 'work-2', option: 'retry' }], 'DECISION_NOT_FOUND'],
      ['decide', [{ decisionId: '__proto__', option: 'retry' }], 'DECISION_NOT_FOUND'],
      ['decide', [{ decisionId: 'work-1', option: 'approve' }], 'DECISION_UNKNOWN_OPTION'],
      ['decide', [{ decisionId: 'work-1', option: 'skip-branch' }], 'DECISION_UNKNOWN_OPTION'],
      ['decide', [{ decisionId: 'work-1', option: 'fix' }], 'DECISION_NEEDS_INSTRUCTION'],
      ['decide', [{ decisionId: 'work-1', option: 'fix', instruction: ' \n' }], 'DECISION_NEEDS_INSTRUCTION'],
      ['decide', [{ decisionId: 'work-1', option: 'retry', scope: 'ever' }], 'MESSAGE_INVALID'],
      ['decide', [{ decisionId: 'work-1', option: 'retry', bye: 'ana' }], 'MESSAGE_INVALID'],
      ['decide', [{ decisionId: 7, option: 'retry' }], 'MESSAGE_INVALID'],
      ['decide', [{ decisionId: 'work-1', option: 'fix', instruction: 'x'.repeat(4_001) }], 'MESSAGE_INVALID'],
      ['decide', [], 'MESSAGE_INVALID'],
      ['decide', ['work-1'], 'MESSAGE_INVALID'],
      ['decide', [[]], 'MESSAGE_INVALID'],
      ['steer', [{ text: 'faster', subtask: 'nobody' }], 'SUBTASK_NOT_FOUND'],
      ['steer', [{ text: '' }], 'MESSAGE_INVALID'],
      ['steer', [null], 'MESSAGE_INVALID'],
      ['pause', [{ reason: 7 }], 'MESSAGE_INVALID'],
      ['resume', ['now'], 'MESSAGE_INVALID'],
    ];
    for (const [name, args, code] of refused) {
      const cause = await send(name, args);
      expect([name, args, cause]).toEqual([name, args, expect.any(ApplicationFailure)]);
      expect(cause).toMatchObject({ type: code, nonRetryable: true, details: [{ code }] });
      expect((cause as ApplicationFailure).failure?.stackTrace ?? '').toBe('');
    }
    expect(await task.events()).toEqual(before);
    expect(runsIn(workspace)).toHaveLength(1);
    await task.decide({ decisionId: 'work-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
  });

  test('to an ended or an unknown task is told apart', async () => {
    const task = await rig.start(shellPlan({ work: { sh: ok } }));
    expect(await endOf(task)).toBe('completed');
    await task.result();
    for (const again of [() => task.pause(), () => task.resume(), () => task.steer({ text: 'x' })]) {
      expect(await codeOf(again())).toBe('TASK_ENDED');
    }
    expect(await codeOf(task.decide({ decisionId: 'work-1', option: 'retry' }))).toBe('TASK_ENDED');
    expect(await codeOf(rig.client.task('never-was').pause())).toBe('TASK_NOT_FOUND');
    expect(await codeOf(rig.client.task('never-was').status())).toBe('TASK_NOT_FOUND');
  });
});

describe('an answer', () => {
  test('with the same update id again gets the first result; another is told who answered first', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: asks }, hold: { sh: `${ok}; until [ -e go ]; do sleep 0.05; done` } }, { workspace }),
    );
    await eventOf(task, decisionOpened());
    const updateId = randomUUID();
    const first = { taskId: task.id, decisionId: 'work-1', option: 'retry' };
    expect(await task.decide({ decisionId: 'work-1', option: 'retry', by: 'ana' }, { updateId })).toEqual(first);
    expect(await task.decide({ decisionId: 'work-1', option: 'abort', by: 'bob' }, { updateId })).toEqual(first);
    const late = await task.decide({ decisionId: 'work-1', option: 'retry', by: 'bob' }).catch((e: unknown) => e);
    expect(late).toMatchObject({ code: 'DECISION_ALREADY_ANSWERED' });
    expect((late as Error).message).toMatch(/already answered by ana with retry at \d{4}-/);
    expect(await countOf(task, 'decision.answered')).toBe(1);
    await until(() => runsIn(workspace).length === 3);
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  });

  test('of twenty at the same moment is taken once, and the others are refused', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks }, other: { sh: asks } }, { workspace }));
    await eventOf(task, decisionOpened('work-1'));
    await eventOf(task, decisionOpened('other-1'));
    const answers = Array.from({ length: 20 }, (_, index) =>
      codeOf(task.decide({ decisionId: 'work-1', option: index % 2 === 0 ? 'retry' : 'skip', by: `person ${index}` })),
    );
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes.filter((code) => code === 'DECISION_ALREADY_ANSWERED')).toHaveLength(19);
    await task.decide({ decisionId: 'other-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    expect(await countOf(task, 'decision.answered')).toBe(2);
    expect(runsIn(workspace).filter(({ subtask }) => subtask === 'other')).toHaveLength(1);
  });

  test('may come as a signal of a bare client; a second pause or resume before it is taken and is no news', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace }));
    await eventOf(task, decisionOpened());
    for (const message of ['resume', 'pause', 'pause', 'resume', 'resume'] as const) {
      expect(await task[message]()).toEqual({ taskId: task.id });
    }
    expect(await countOf(task, 'task.paused')).toBe(1);
    expect(await countOf(task, 'task.resumed')).toBe(1);
    await bare(task).signal('decide', { decisionId: 'work-1', option: 'fix', instruction: 'ask for it', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'work', 2)).toContain('ask for it');
    const answered = (await task.events()).find(({ type }) => type === 'decision.answered');
    expect(answered).toMatchObject({ decisionId: 'work-1', option: 'fix', by: 'ana' });
  });
});

describe('a bad signal', () => {
  test('is recorded as an event and in the current details, and harms nothing; so is one for a decision that somebody answered meanwhile', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks }, other: { sh: asks } }, { workspace }));
    for (const id of ['work-1', 'other-1']) await eventOf(task, decisionOpened(id));
    await bare(task).signal('decide', { decisionId: 'work-9', option: 'retry' });
    await bare(task).signal('decide');
    await bare(task).signal('steer', 'faster');
    await bare(task).signal('pause', { until: 'noon' });
    await told(task, 'message.refused', ({ message }) => message === 'pause');
    const refused = ofType(await task.events(), 'message.refused');
    expect(refused.map(({ message }) => message)).toEqual(['decide', 'decide', 'steer', 'pause']);
    expect(refused[0]?.text).toContain('there is no decision work-9 (DECISION_NOT_FOUND)');
    const details = await currentDetailsOf(rig.temporal, task.workflowId);
    expect(details).toContain('A signal was refused');
    expect(details).toContain('until is not a field of pause');
    expect((await task.status()).state).toBe('waiting');

    await Promise.all([
      bare(task).signal('decide', { decisionId: 'work-1', option: 'skip' }),
      bare(task).signal('decide', { decisionId: 'work-1', option: 'skip' }),
    ]);
    const late = await told(task, 'message.refused', ({ text }) => text.includes('DECISION_ALREADY_ANSWERED'));
    expect(late.message).toBe('decide');
    await task.decide({ decisionId: 'other-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
  });
});

describe('messages before anything runs', () => {
  test('a task that is started with a pause starts nothing until it is resumed', async () => {
    const workspace = rig.workspace();
    const workflowId = `task-${randomUUID()}`;
    await rig.temporal.workflow.signalWithStart('task', {
      workflowId,
      taskQueue: rig.taskQueue,
      args: [shellPlan({ work: { sh: ok } }, { workspace })],
      signal: 'pause',
      signalArgs: [{ reason: 'not yet' }],
    });
    const task = rig.adopt(workflowId);
    await task.steer({ text: 'write in verse', subtask: 'work' });
    await eventOf(task, ({ type }) => type === 'plan.ready');
    expect(await task.status()).toMatchObject({ state: 'paused', summary: 'Paused: not yet' });
    expect(await codeOf(task.decide({ decisionId: 'plan-1', option: 'approve' }))).toBe('DECISION_NOT_FOUND');
    expect(namesOf(workspace)).toEqual([]);
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'work')).toContain('<steering>\nwrite in verse\n</steering>');
  });
});
