// Steering reaches the attempts that start later; a pause lets what runs finish and starts nothing new.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { failsWith, namesOf, promptIn, runsIn, until, witness } from '../support/witness.ts';
import { told } from './typed-events.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
const heldBy = (file: string): string => `${witness}; until [ -e ${file} ]; do sleep 0.05; done; echo done`;
const steeringIn = (prompt: string): string[] =>
  (/<steering>\n([\s\S]*?)\n<\/steering>/.exec(prompt)?.[1] ?? '').split('\n').filter((line) => line !== '');

describe('steering', () => {
  test('appears in the prompts of attempts that start later, for all subtasks or for one', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { first: { sh: heldBy('go') }, a: { sh: ok, dependsOn: ['first'] }, b: { sh: ok, dependsOn: ['first'] } },
        { workspace },
      ),
    );
    await until(() => namesOf(workspace).length === 1);
    await task.steer({ text: 'mind the <gap>', by: 'ana' });
    await rig.temporal.workflow.getHandle(task.workflowId).signal('steer', { text: 'only for b', subtask: 'b' });
    await told(task, 'task.steered', ({ subtask }) => subtask === 'b');
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('completed');
    expect(steeringIn(promptIn(workspace, 'first'))).toEqual([]);
    expect(steeringIn(promptIn(workspace, 'a'))).toEqual(['mind the &lt;gap&gt;']);
    expect(steeringIn(promptIn(workspace, 'b'))).toEqual(['mind the &lt;gap&gt;', 'only for b']);
    expect((await task.events()).filter(({ type }) => type === 'task.steered')).toMatchObject([
      { instruction: 'mind the <gap>' },
      { instruction: 'only for b', subtask: 'b' },
    ]);
  });

  test('stands after the guidance and before the retry context', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: failsWith('pump', 'pump'), maxAttempts: 1 } }, { workspace }));
    await eventOf(task, decisionOpened());
    await task.steer({ text: 'be brief' });
    await task.decide({ decisionId: 'work-1', option: 'fix', instruction: 'oil it' });
    expect(await endOf(task)).toBe('completed');
    for (const attempt of [2, 3]) {
      const prompt = promptIn(workspace, 'work', attempt);
      const places = ['<guidance', 'oil it', '<steering>', 'be brief', '<retry_context', 'do work'].map((part) =>
        prompt.indexOf(part),
      );
      expect(places[0]).toBe(0);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });
});

describe('a pause', () => {
  test('lets the running attempt finish, starts nothing new, and goes on after resume', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          fails: { sh: `[ $HEDDLE_ATTEMPT = 1 ] && { ${heldBy('go')}; echo broke >&2; exit 1; }; ${ok}` },
          behind: { sh: ok, dependsOn: ['fails'] },
          passes: { sh: heldBy('go') },
          next: { sh: ok, dependsOn: ['passes'] },
        },
        { workspace },
      ),
    );
    await until(() => namesOf(workspace).length === 2);
    await task.pause({ reason: 'release freeze' });
    expect(await task.status()).toMatchObject({
      state: 'paused',
      summary: expect.stringContaining('still finishing') as string,
    });
    writeFileSync(join(workspace, 'go'), '');
    await eventOf(task, ({ type }) => type === 'attempt.failed');
    await eventOf(task, ({ type }) => type === 'subtask.completed');
    await sleep(500);
    expect(namesOf(workspace).sort()).toEqual(['fails', 'passes']);
    expect(await task.status()).toMatchObject({ state: 'paused', summary: 'Paused: release freeze' });
    const [listed] = (await rig.client.list("HeddleState = 'paused'")).filter(({ id }) => id === task.id);
    expect(listed?.state).toBe('paused');
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace).sort()).toEqual(['behind', 'fails', 'fails', 'next', 'passes']);
  });

  test('takes answers meanwhile and acts on them after resume', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: failsWith('pump'), maxAttempts: 1 } }, { workspace }));
    await eventOf(task, decisionOpened());
    await task.pause();
    await task.decide({ decisionId: 'work-1', option: 'retry' });
    await sleep(300);
    expect(runsIn(workspace)).toHaveLength(1);
    expect((await task.status()).decisions).toEqual([]);
    await task.resume();
    expect(await endOf(task)).toBe('completed');
  });

  test('stops the clock of a wait before the next attempt', async () => {
    const workspace = rig.workspace();
    // The first attempt leaves nothing at all, which is tried again after a wait.
    const sh = `[ $HEDDLE_ATTEMPT = 1 ] || { ${witness}; echo done; }`;
    const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
    await eventOf(task, ({ type }) => type === 'attempt.failed');
    await task.pause();
    await sleep(1_500);
    const { subtasks } = await task.status();
    await task.resume();
    const resumed = await task.status();
    const shift = Date.parse(resumed.subtasks[0]?.notBefore ?? '') - Date.parse(subtasks[0]?.notBefore ?? '');
    expect(shift).toBeGreaterThanOrEqual(1_400);
    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace)).toMatchObject([{ attempt: 2 }]);
  });
});
