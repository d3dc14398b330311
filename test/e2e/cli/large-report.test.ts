// A task whose report is larger than what Temporal takes in one answer: `run` still ends with the exit code of the task.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../../client/index.ts';
import { Cli } from '../../support/cli.ts';
import { codeIn } from './local-server.ts';

const subtasks = 20;
const attempts = 6;
/** Each record names its verify command: 120 records of 20 kB are above the 2 MB of one answer. */
const padding = 'x'.repeat(20_000);

function planOf(last: string): object {
  const ids = Array.from({ length: subtasks }, (_, index) => `s${index + 1}`);
  return {
    goal: 'leave a long record',
    ladder: Array.from({ length: attempts }, () => ({ tier: 'assigned' })),
    subtasks: [
      ...ids.map((id) => ({
        id,
        executor: { kind: 'command', run: ['sh', '-c', `echo $HEDDLE_ATTEMPT > ${id}.txt; echo done`] },
        verify: [`[ $(cat ${id}.txt) -ge ${attempts} ] # ${padding}`],
      })),
      { id: 'last', dependsOn: ids, executor: { kind: 'command', run: ['sh', '-c', last] } },
    ],
  };
}

test.each([
  { ends: 'completes', last: 'echo done', code: 0, state: 'completed', records: subtasks * attempts + 1 },
  { ends: 'fails', last: 'exit 1', code: 1, state: 'failed', records: subtasks * attempts + attempts },
])(
  'run of one that $ends exits with $code, and report and watch tell it all',
  async ({ last, code, state, records }) => {
    const cli = new Cli();
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(planOf(last)));
    const ran = await cli.run('run', 'plan.json', '--id', 'long');
    expect(ran.code).toBe(code);
    expect(ran.stderr).not.toContain('not to be had');
    const text = await cli.run('report', 'long', '--json');
    expect(text.code).toBe(0);
    expect(text.stdout.length).toBeGreaterThan(2 * 1024 * 1024);
    const report = JSON.parse(text.stdout) as Report;
    expect(report.state).toBe(state);
    expect(report.records).toHaveLength(records);
    const watched = await cli.run('watch', 'long', '--json');
    expect(watched.code).toBe(code);
    if (code === 1) expect(codeIn(watched.stderr)).toBe('TASK_FAILED');
    const numbers = watched.stdout
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { id?: number }).id ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));

    // Records that moved to the store and are gone are missed, and change no exit code.
    rmSync(join(cli.home, 'store'), { recursive: true, force: true });
    expect((await cli.run('watch', 'long')).code).toBe(code);
  },
  300_000,
);
