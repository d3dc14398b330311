/* The size of a plan at the door: what Temporal would not take is refused before anything starts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { loadPlanFile } from '../../client/plan-file/load-plan-file.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planLimits } from '../../domain/input/limits.ts';

const planOf = (bytes: number): Record<string, unknown> => {
  const plan = { goal: '', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'] } }] };
  return { ...plan, goal: 'x'.repeat(bytes - JSON.stringify(plan).length) };
};

function problemOf(input: Record<string, unknown>): { code: string; message: string; where?: string } | undefined {
  try {
    checkPlanSize(input);
  } catch (error) {
    if (error instanceof HeddleError) return error.toJSON();
    throw error;
  }
  return undefined;
}

test('a plan of exactly the limit can be sent, one byte more cannot', () => {
  expect(problemOf(planOf(planLimits.sentPlanBytes))).toBeUndefined();
  expect(problemOf(planOf(planLimits.sentPlanBytes + 1))).toEqual({
    code: 'PLAN_TOO_LARGE',
    message: 'The plan is 1.51 MB as JSON, with aliases expanded; at most 1.5 MB can be sent.',
    where: 'plan',
    hint: 'Put long texts into files in the workspace and name the files in the plan.',
  });
});

test('finished work has room of its own beside the plan', () => {
  const plan = planOf(planLimits.sentPlanBytes);
  expect(problemOf({ ...plan, reuse: { task: 't', subtasks: ['x'.repeat(350_000)] } })).toBeUndefined();
  expect(problemOf({ ...plan, reuse: { task: 't', subtasks: ['x'.repeat(400_000)] } })).toMatchObject({
    code: 'PLAN_TOO_LARGE',
    message: expect.stringContaining('with the finished work that it reuses') as string,
  });
});

test('a small file whose aliases grow above the limit is refused with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-size-'));
  try {
    const subtasks = Array.from({ length: 40 }, (_, index) => `  - { id: s${index}, description: *text }`);
    const lines = ['goal: g', 'executor: { kind: command, run: ["sh"] }', 'subtasks:'];
    const first = `  - { id: first, description: &text "${'x'.repeat(50_000)}" }`;
    writeFileSync(join(folder, 'plan.yaml'), [...lines, first, ...subtasks, ''].join('\n'));
    await expect(loadPlanFile('plan.yaml', { cwd: folder, stdin: Readable.from([]) })).rejects.toMatchObject({
      code: 'PLAN_TOO_LARGE',
      where: 'plan.yaml',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
