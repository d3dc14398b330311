// A task whose report is larger than what Temporal takes in one answer: `run` still ends with the exit code of the task.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../client/index.ts';
import { Cli, until } from '../support/cli.ts';

const subtasks = 72;
/** The rungs of the default ladder before a person is asked: the check passes at the last of them. */
const attempts = 4;
/** Names that nearly fill the 8 kB which a verdict may have: 288 records of more than 7 kB are above the 2 MB of one answer. */
const filesOf = (id: string): string[] =>
  Array.from({ length: 66 }, (_, index) => `${id}/${'long-name-'.repeat(8)}${index}.txt`);

function planOf(): object {
  const script = (id: string): string =>
    `mkdir -p ${id}; for name in ${filesOf(id).join(' ')}; do echo $HEDDLE_ATTEMPT > $name; done; echo done`;
  const ids = Array.from({ length: subtasks }, (_, index) => `s${index + 1}`);
  return {
    goal: 'leave a long record',
    maxParallelSubtasks: 10,
    subtasks: ids.map((id) => ({
      id,
      executor: { kind: 'command', run: ['sh', '-c', script(id)] },
      deliverables: filesOf(id),
      verify: [`[ $(cat ${filesOf(id)[0] ?? ''}) -ge ${attempts} ]`],
    })),
  };
}

test('run exits with 0 when the task completes, report and watch tell it all, and what is missing changes no exit code', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(planOf()));
  const ran = await cli.run('run', 'plan.json', '--id', 'long');
  expect(ran.code).toBe(0);
  // A busy machine may be too slow to replay so long a history in time, which is no matter of its size.
  let text = await cli.run('report', 'long', '--json');
  await until(
    'the report is told',
    async () => {
      if (text.code !== 0) text = await cli.run('report', 'long', '--json');
      return text.code === 0;
    },
    180_000,
  );
  expect(text.stdout.length).toBeGreaterThan(2 * 1024 * 1024);
  const report = JSON.parse(text.stdout) as Report;
  expect(report.state).toBe('completed');
  expect(report.records).toHaveLength(subtasks * attempts);
  const watched = await cli.run('watch', 'long', '--json');
  expect(watched.code).toBe(0);
  const numbers = watched.stdout
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { id?: number }).id ?? []);
  expect(numbers.length).toBeGreaterThan(subtasks * attempts);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));

  // Pages that older runs of the task moved to the store are gone, as after a lost disk.
  rmSync(join(cli.home, 'store'), { recursive: true, force: true });
  expect((await cli.run('watch', 'long')).code).toBe(0);
}, 900_000);
