// What a person can answer to an escalation and what it does to the others; when a task waits and when it pauses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Decision, TaskHandle } from '../../../client/index.ts';
import { eventsOf, isEvent } from '../../support/events.ts';
import { codeOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { failsWith, namesOf, promptIn, runsIn, until, witness } from '../../support/witness.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
/** Asks a person at once, and passes after an answer that lets it run again. */
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

const statesOf = async (task: TaskHandle): Promise<Record<string, string>> =>
  Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]));
const asked = async (task: TaskHandle, id: string): Promise<Decision> =>
  (await eventOf(task, decisionOpened(id))).decision;

describe('an escalation', () => {
  test('lets everything that does not depend on it finish; only then does the task wait', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          stuck: { sh: asks },
          behind: { sh: ok, dependsOn: ['stuck'] },
          free: { sh: `${witness}; until [ -e go ]; do sleep 0.05; done; echo done` },
          next: { sh: ok, dependsOn: ['free'] },
        },
        { workspace, maxParallelSubtasks: 2 },
      ),
    );
    await asked(task, 'stuck-1');
    expect(await task.status()).toMatchObject({ state: 'running', decisions: [{ id: 'stuck-1' }] });
    writeFileSync(join(workspace, 'go'), '');
    await eventOf(task, isEvent('subtask.completed', 'next'));
    await until(async () => (await task.status()).state === 'waiting');
    expect(namesOf(workspace).sort()).toEqual(['free', 'next', 'stuck']);
    expect((await task.status()).summary).toBe('Waiting for your answer about stuck');
    const [item] = (await rig.client.inbox()).items.filter(({ taskId }) => taskId === task.id);
    expect(item).toMatchObject({ id: 'stuck-1', kind: 'escalation', subtask: 'stuck', goal: 'a test' });
    await task.decide({ decisionId: 'stuck-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace).slice(-2)).toEqual(['stuck', 'behind']);
  });

  test('says in plain words what happened, what was tried and what each answer does; each that is asked again has a number of its own', async () => {
    const workspace = rig.workspace();
    const sh = `${witness}; echo "cannot open ${workspace}/secret/file.txt" >&2; echo "    at run (/opt/x/y.js:3:4)" >&2; exit 1`;
    const task = await rig.start(
      shellPlan(
        {
          work: { sh, maxAttempts: 2 },
          behind: { sh: ok, dependsOn: ['work'] },
          last: { sh: ok, dependsOn: ['behind'] },
          again: { sh: `${witness}; [ $HEDDLE_ATTEMPT -gt 3 ] || exit 77; echo done` },
        },
        { workspace, escalationPause: 20 },
      ),
    );
    const decision = await asked(task, 'work-1');
    expect(decision.problem).toBe('work ended with an error after 2 attempts. All its attempts are used.');
    expect(decision.tried).toEqual([1, 2].map(() => expect.stringContaining('cannot open file.txt') as string));
    const text = [decision.problem, ...decision.tried].join('\n');
    expect(text).not.toContain(workspace);
    expect(text).not.toContain('y.js');
    expect(decision.options.map(({ id }) => id)).toEqual(['retry', 'fix', 'simpler', 'skip', 'skip-branch', 'abort']);
    const saidOf = (id: string) => decision.options.find((option) => option.id === id)?.consequence;
    expect(saidOf('skip')).toContain('behind will run and be told that its result is missing');
    expect(saidOf('skip-branch')).toContain('behind and last');
    expect(decision).toMatchObject({ deadline: null, recommendation: 'fix' });
    await task.decide({ decisionId: 'work-1', option: 'simpler' });
    await asked(task, 'work-2');
    expect(promptIn(workspace, 'work', 3)).toContain('Do a simpler version');

    for (const id of ['again-1', 'again-2', 'again-3']) {
      await asked(task, id);
      await task.decide({ decisionId: id, option: 'retry', by: 'ana' });
    }
    await task.decide({ decisionId: 'work-2', option: 'skip-branch' });
    expect(await endOf(task)).toBe('completed');
    const runs = runsIn(workspace).filter(({ subtask }) => subtask === 'again');
    expect(runs.map(({ attempt, tier }) => `${attempt}/${tier}`)).toEqual(['1/1', '2/1', '3/1', '4/1']);
    expect(await codeOf(task.decide({ decisionId: 'again-1', option: 'retry' }))).toBe('TASK_ENDED');
  });

  test('skip lets the dependents run and tells them that the result is missing; skip-branch skips everything behind it and nothing else', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          stuck: { sh: asks },
          behind: { sh: ok, dependsOn: ['stuck'] },
          stem: { sh: asks },
          child: { sh: ok, dependsOn: ['stem'] },
          grandchild: { sh: ok, dependsOn: ['child', 'behind'] },
          sum: { sh: ok, synthesis: true },
        },
        { workspace },
      ),
    );
    for (const id of ['stuck-1', 'stem-1']) await asked(task, id);
    await task.decide({ decisionId: 'stuck-1', option: 'skip', by: 'ana' });
    await task.decide({ decisionId: 'stem-1', option: 'skip-branch' });
    expect(await endOf(task)).toBe('completed');
    expect(await statesOf(task)).toEqual({
      stuck: 'skipped',
      behind: 'completed',
      stem: 'skipped',
      child: 'skipped',
      grandchild: 'skipped',
      sum: 'completed',
    });
    expect(namesOf(workspace).sort()).toEqual(['behind', 'stem', 'stuck', 'sum']);
    const prompt = promptIn(workspace, 'behind');
    expect(prompt).toContain('<dependency id="stuck" status="skipped">');
    expect(prompt).toContain('This result is missing: it was skipped (ana chose to continue without it)');
    expect(await task.result()).toMatchObject({
      state: 'completed',
      reason: '2 subtasks done, stuck, stem, child and grandchild skipped, 2 of 6 subtasks unchecked',
    });
  });
});

describe('several escalations', () => {
  test('pause the task when there are as many as the plan says, with one message', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { a: { sh: asks }, b: { sh: asks }, c: { sh: ok, dependsOn: ['a'] } },
        { workspace, escalationPause: 2 },
      ),
    );
    const paused = await eventOf(task, ({ type }) => type === 'task.paused');
    expect(paused).toMatchObject({
      by: 'escalations',
      text: expect.stringContaining('2 escalations; answer the open questions') as string,
    });
    await task.decide({ decisionId: 'a-1', option: 'retry' });
    await task.decide({ decisionId: 'b-1', option: 'skip' });
    expect(await task.status()).toMatchObject({ state: 'paused', decisions: [] });
    expect(namesOf(workspace).sort()).toEqual(['a', 'b']);
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect((await task.events()).filter(({ type }) => type === 'task.paused')).toHaveLength(1);
    expect(namesOf(workspace).sort()).toEqual(['a', 'a', 'b', 'c']);
  });

  test('with the same signature are answered once for all: those that are open and those that come later; an answer that does not help is used once for a subtask, then a person is asked', async () => {
    const workspace = rig.workspace();
    const fails = failsWith('pump');
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: fails, maxAttempts: 1 },
          b: { sh: fails, maxAttempts: 1 },
          other: { sh: failsWith('valve'), maxAttempts: 1 },
          later: { sh: fails, maxAttempts: 1, dependsOn: ['a', 'b'] },
          refused: { sh: asks, dependsOn: ['other'] },
          again: { sh: `${witness}; echo "not allowed" >&2; exit 77`, dependsOn: ['refused'] },
        },
        { workspace, escalationPause: 20 },
      ),
    );
    for (const id of ['a-1', 'b-1', 'other-1']) await asked(task, id);
    await task.decide({
      decisionId: 'a-1',
      option: 'fix',
      instruction: 'oil the pump',
      scope: 'signature',
      by: 'ana',
    });
    await eventOf(task, isEvent('subtask.completed', 'later'));
    expect((await task.status()).decisions.map(({ id }) => id)).toEqual(['other-1']);
    await task.decide({ decisionId: 'other-1', option: 'retry' });
    for (const id of ['a', 'b', 'later']) expect(promptIn(workspace, id, 2)).toContain('oil the pump');
    await eventOf(task, isEvent('subtask.completed', 'other'));
    expect(promptIn(workspace, 'other', 2)).not.toContain('oil the pump');
    const answered = eventsOf(await task.events(), 'decision.answered');
    expect(answered.map(({ decisionId, by }) => [decisionId, by])).toEqual([
      ['a-1', 'ana'],
      ['b-1', 'ana'],
      ['later-1', 'the answer of ana for this failure'],
      ['other-1', null],
    ]);

    await asked(task, 'refused-1');
    await task.decide({ decisionId: 'refused-1', option: 'retry', scope: 'signature' });
    await asked(task, 'again-2');
    await until(async () => (await task.status()).state === 'waiting');
    expect(runsIn(workspace).filter(({ subtask }) => subtask === 'again')).toHaveLength(2);
    await task.decide({ decisionId: 'again-2', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
  });
});
