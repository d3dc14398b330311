// Waits before the next attempt: durable, without a slot, and one timer for each.
import { describe, expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../support/rig.ts';
import { namesOf, promptIn, runsIn, witness } from '../support/witness.ts';
import { ofType, told } from './typed-events.ts';

const rig = useRig();

describe('a sick environment', () => {
  test('is waited out on a durable timer and the same attempt runs again, without a slot meanwhile', async () => {
    const workspace = rig.workspace();
    const full = 'echo "ENOSPC: no space left on device" >&2; exit 1';
    const task = await rig.start(
      shellPlan(
        {
          work: { sh: `${witness}; [ $(grep -c ^work runs.log) -gt 1 ] || { ${full}; }; echo done` },
          other: { sh: `${witness}; echo done` },
        },
        { workspace, maxParallelSubtasks: 1 },
      ),
    );
    const suspended = await told(task, 'attempt.suspended');
    expect(suspended).toMatchObject({
      subtask: 'work',
      attempt: 1,
      why: 'environment',
      phase: 'execute',
      waitMs: 5_000,
    });
    await told(task, 'subtask.completed', ({ subtask }) => subtask === 'other');
    const waiting = await task.status();
    expect(waiting.state).toBe('running');
    expect(waiting.subtasks[0]).toMatchObject({ state: 'pending', attempts: 1 });
    expect(Date.parse(waiting.subtasks[0]?.notBefore ?? '') - Date.parse(suspended.time)).toBe(5_000);

    expect(await endOf(task)).toBe('completed');
    expect(runsIn(workspace).map(({ subtask, attempt, key }) => `${subtask} ${attempt} ${key}`)).toEqual([
      `work 1 ${task.id}/work/1`,
      `other 1 ${task.id}/other/1`,
      `work 1 ${task.id}/work/1`,
    ]);
    const [record] = (await task.attempts()).filter(({ subtask }) => subtask === 'work');
    expect(record).toMatchObject({ attempt: 1, outcome: 'passed', waits: [{ ms: 5_000 }] });
    expect(record?.waits[0]?.reason).toContain('no space left on device');
    const events = await task.events();
    expect(ofType(events, 'attempt.resumed')).toMatchObject([{ subtask: 'work', attempt: 1, why: 'environment' }]);
    expect(ofType(events, 'attempt.rerun')).toEqual([]);
    expect(promptIn(workspace, 'work')).not.toContain('<retry_context');
  });
});

describe('a verify command that fails for the sake of the machine', () => {
  test('the verification alone is repeated, the program is not paid again', async () => {
    const said = {
      full: 'ENOSPC: no space left on device, write',
      away: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
    };
    const workspace = rig.workspace();
    // The complaint stands above the last lines, which are all that a summary has.
    const verify = (id: string, words: string): string =>
      `[ -e again-${id} ] || { touch again-${id}; echo '${words}'; printf 'a\nb\nc\nd\n'; exit 1; }`;
    const subtasks = Object.entries(said).map(([id, words]) => [
      id,
      { sh: `${witness}; echo done`, verify: [verify(id, words)] },
    ]);
    const task = await rig.start(
      shellPlan(Object.fromEntries(subtasks) as Parameters<typeof shellPlan>[0], { workspace }),
    );
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace).sort()).toEqual(['away', 'full']);
    const events = await task.events();
    expect(ofType(events, 'attempt.suspended')).toMatchObject(
      [1, 2].map(() => ({ why: 'environment', phase: 'verify', waitMs: 5_000 })),
    );
    expect(ofType(events, 'attempt.rerun')).toEqual([]);
    const passed = { attempt: 1, outcome: 'passed', waits: [{ ms: 5_000 }] };
    expect(await task.attempts()).toMatchObject([passed, passed]);
  });
});

describe('a wait that is over', () => {
  test('while no slot is free is not asked for again and again', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          // Takes too long the first time, after which 1.5 s are waited.
          waits: { sh: `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && exit 124; echo done` },
          long: { sh: `${witness}; sleep 2.5; echo done` },
        },
        { workspace, maxParallelSubtasks: 1 },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['waits', 'long', 'waits']);
    const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
    expect((events ?? []).filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
  });
});
