// Facts of an attempt that this machine lost are never reported as done: a record that is lost while the program runs, files without
// snapshots.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { activityEnvironment, finished, makeRig } from './support.ts';

/** The input comes after the record of the start: whoever reads it first harms no earlier one. */
const sh = (script: string): string[] => ['sh', '-c', `cat > /dev/null; ${script}`];

describe('a record that is lost while the program runs', () => {
  test.each([
    ['gone', 'rm "$record"'],
    ['damaged', 'echo "{" > "$record"'],
  ])('%s: whose the attempt is nobody knows, and the next start says that it runs again', async (_, harm) => {
    const rig = await makeRig();
    const { record } = await rig.paths();
    const given = { run: sh(`echo run >> runs; record='${record}'; [ -e harmed ] || { touch harmed; ${harm}; }`) };
    await expect(rig.execute(given)).rejects.toMatchObject({ type: 'taken-over' });
    const next = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(finished(next).reruns).toBe(1);
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\nrun\n');
  });

  test('a plan that wants to be asked before a second run is', async () => {
    const rig = await makeRig();
    const { record } = await rig.paths();
    const given = { run: sh(`echo run >> runs; rm '${record}'`), onCrash: 'ask' as const };
    await expect(rig.execute(given)).rejects.toMatchObject({ type: 'taken-over' });
    const next = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(next).toMatchObject({ kind: 'failed', failure: { type: 'blocked' }, reruns: 1 });
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\n');
  });
});

describe('a rung that brings files back', () => {
  test('says so when this host has no snapshots of the task, instead of "0 files"', async () => {
    const rig = await makeRig(process.env);
    const outcome = await rig.execute({ run: sh('echo done'), attempt: 2, restore: true });
    expect(finished(outcome).restored).toEqual({ refused: 'There are no snapshots of this task on this host' });
  });

  test('says so when there are none of this subtask', async () => {
    const rig = await makeRig(process.env);
    await rig.execute({ run: sh('echo 1 > other.txt'), subtaskId: 'other' });
    const outcome = await rig.execute({ run: sh('echo done'), attempt: 2, restore: true });
    expect(finished(outcome).restored).toMatchObject({ refused: expect.stringContaining('no snapshots of') as string });
  });
});
