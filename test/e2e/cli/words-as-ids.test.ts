// Subtasks whose ids are words of JavaScript: names like any other, from the plan to the report.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskDiff } from '../../../domain/types/basic/workspace.ts';
import { Cli, useSharedHome } from '../../support/cli.ts';

const home = useSharedHome();
const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

/** Each writes a file of its name; one forgets it at first. */
const forgets = '[ $HEDDLE_ATTEMPT = 1 ] && exit 0;';

const subtasks = words.map((id, index) => ({
  id,
  dependsOn: words.slice(Math.max(0, index - 1), index),
  executor: {
    kind: 'command',
    run: ['sh', '-c', `${id === '__proto__' ? forgets : ''} cp "$HEDDLE_INPUTS_FILE" ${id}.json; echo done by ${id}`],
  },
  deliverables: [`${id}.json`],
}));

interface Report {
  records: { subtask: string; attempt: number; outcome: string }[];
}

test('a task of them is run, reported, shown and undone', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const plan = join(cli.cwd, '..', 'plan.json');
  writeFileSync(plan, JSON.stringify({ goal: 'words as names', workspace: cli.cwd, subtasks }));
  expect((await cli.here('run', plan, '--id', 'words')).code).toBe(0);

  const { records } = await cli.jsonHere<Report>('report', 'words');
  expect(records.map(({ subtask, attempt, outcome }) => `${subtask} ${attempt} ${outcome}`).sort()).toEqual(
    [
      '__proto__ 1 failed',
      '__proto__ 2 passed',
      ...words.flatMap((id) => (id === '__proto__' ? [] : `${id} 1 passed`)),
    ].sort(),
  );
  const diff = await cli.jsonHere<TaskDiff>('diff', 'words');
  expect(diff.files.map(({ path, by }) => `${path} ${by.join()}`).sort()).toEqual(
    words.map((id) => `${id}.json ${id}`).sort(),
  );
  expect((await cli.here('undo', 'words', '__proto__')).code).toBe(0);
});
