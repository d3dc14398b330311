// `heddle retry`: finished work whose inputs have not changed is reused; exactly the rest runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli, useSharedHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';

const home = useSharedHome();
const witness = 'echo $HEDDLE_SUBTASK_ID >> runs.log';
const write = (script: string): object => ({ kind: 'command', run: ['sh', '-c', `${witness}; ${script}`] });

/** a -> b -> c, and d, e beside them; e fails until `fixed` is there. */
function planOf(change: Record<string, object> = {}): object {
  const subtask = (id: string, dependsOn: string[], script = `echo ${id} > ${id}.txt`): object => ({
    id,
    dependsOn,
    description: `do ${id}`,
    executor: write(script),
    deliverables: [`${id}.txt`],
    ...change[id],
  });
  return {
    goal: 'retry',
    ladder: [{ tier: 'assigned' }],
    subtasks: [
      subtask('a', []),
      subtask('b', ['a']),
      subtask('c', ['b']),
      subtask('d', []),
      subtask('e', ['d'], 'test -e fixed && echo e > e.txt'),
    ],
  };
}

test('a failed task is run again from what failed; a changed file or definition counts', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const save = (plan: object): void => writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  save(planOf());
  expect((await cli.here('run', 'plan.json', '--id', 'again')).code).toBe(1);
  const before = linesOf(join(cli.cwd, 'runs.log')).length;
  expect(before).toBe(5);

  expect(await cli.jsonHere('retry', 'again', '--dry-run')).toEqual({
    taskId: 'again-r2',
    reused: ['a', 'b', 'c', 'd'],
    runs: ['e'],
    rechecked: [],
  });
  expect(linesOf(join(cli.cwd, 'runs.log'))).toHaveLength(before);

  // A file of b was edited by hand: b and what is behind it run again.
  const b = readFileSync(join(cli.cwd, 'b.txt'));
  writeFileSync(join(cli.cwd, 'b.txt'), 'edited');
  expect(await cli.jsonHere('retry', 'again', '--dry-run')).toMatchObject({
    reused: ['a', 'd'],
    runs: ['b', 'c', 'e'],
  });
  writeFileSync(join(cli.cwd, 'b.txt'), b);
  expect(await cli.jsonHere('retry', 'again', '--dry-run', '--from', 'd')).toMatchObject({
    reused: ['a', 'b', 'c'],
    runs: ['d', 'e'],
  });
  expect((await cli.here('retry', 'again', '--dry-run', '--from', 'nobody')).code).toBe(4);

  // Another definition of c: four of five are finished, three are reused.
  writeFileSync(join(cli.cwd, 'other.json'), JSON.stringify(planOf({ c: { description: 'do c differently' } })));
  expect(await cli.jsonHere('retry', 'again', '--dry-run', '--plan', 'other.json')).toMatchObject({
    reused: ['a', 'b', 'd'],
    runs: ['c', 'e'],
  });

  writeFileSync(join(cli.cwd, 'fixed'), '');
  const retried = await cli.here('retry', 'again');
  expect(retried.stdout).toContain('reused: a, b, c and d');
  expect(retried.code).toBe(0);
  expect(linesOf(join(cli.cwd, 'runs.log')).slice(before)).toEqual(['e']);
  const refused = await cli.here('retry', 'again-r2', '--json');
  expect([refused.code, (JSON.parse(refused.stderr) as { error: { code: string } }).error.code]).toEqual([
    1,
    'RETRY_NOT_NEEDED',
  ]);
  expect((await cli.here('retry', 'unknown')).code).toBe(4);
}, 180_000);
