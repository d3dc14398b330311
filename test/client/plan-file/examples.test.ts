/* The plans in examples/: they load, and their programs do what their checks ask for. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPlanFile } from '../../../client/plan-file/load-plan-file.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples');
const examples = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
const run = promisify(execFile);

describe('an example plan', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'heddle-examples-'));
  });
  afterAll(() => rm(cwd, { recursive: true }));

  test.each(examples)('works: %s', async (name) => {
    const { plan } = await loadPlanFile(join(folder, name), { cwd, stdin: Readable.from([]) });
    for (const { id, executor, verify, deliverables } of completePlan(plan).subtasks) {
      if (executor.kind !== 'command') throw new Error('examples use only sh');
      const [program = '', ...args] = executor.run;
      expect(program).toBe('sh');
      const env = { PATH: process.env['PATH'], HEDDLE_SUBTASK_ID: id, HEDDLE_ATTEMPT: '2' };
      await run(program, args, { cwd, env });
      for (const command of verify) await run('sh', ['-c', command], { cwd, env });
      expect(await readdir(cwd)).toEqual(expect.arrayContaining(deliverables));
    }
  });
});
