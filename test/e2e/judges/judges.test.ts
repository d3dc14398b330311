// A model that never saw the work being done looks at what passed its checks. Counted where the requests arrive.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import { endOf, linesOf, useRig } from '../../support/rig.ts';

const rig = useRig();

interface Entry {
  when?: Record<string, unknown>;
  times?: number;
  reply: Record<string, unknown>;
}

const says = (verdict: unknown, when: Record<string, unknown> = {}): Entry => ({
  when: { role: 'verifier', ...when },
  reply: { text: typeof verdict === 'string' ? verdict : JSON.stringify(verdict) },
});

const passes = { passed: true, confidence: 0.9, issues: [], feedback: '' };

/** A task of one program that writes a file and says how often it ran, before a script of judges. */
async function start(
  script: Entry[],
  subtask: Partial<PlanInput['subtasks'][number]>,
  rest: Partial<PlanInput> = {},
  sh = 'echo "all is named" > notes.md',
) {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'script.yaml'), JSON.stringify(script));
  writeFileSync(
    join(workspace, 'heddle.toml'),
    `[providers.script]
kind = "scripted"
script = "script.yaml"
[models.judge]
provider = "script"
roles = ["verifier"]
price = { in = 1.0, out = 5.0 }
`,
  );
  const task = await rig.start({
    goal: 'Write notes',
    workspace,
    ...rest,
    subtasks: [
      {
        id: 'notes',
        description: 'Write notes.md',
        criteria: ['every change is named'],
        deliverables: ['notes.md'],
        executor: { kind: 'command', run: ['sh', '-c', `echo ran >> runs.log; cat > "prompt-$HEDDLE_ATTEMPT"; ${sh}`] },
        verification: 2,
        ...subtask,
      },
    ],
  });
  return { task, workspace, runs: () => linesOf(join(workspace, 'runs.log')).length };
}

test('what a judge accepts is completed, and its judgement stands in the record', async () => {
  const { task, runs } = await start([says(passes)], {});
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({
    outcome: 'passed',
    verdict: 'pass',
    modelCalls: 1,
    models: [{ model: 'judge', calls: 1 }],
    judgement: {
      outcome: 'pass',
      confidence: 0.9,
      reasonCode: null,
      severity: null,
      votes: [{ passed: true, confidence: 0.9 }],
    },
  });
  expect(runs()).toBe(1);
});

test('what a judge refuses is done again with its feedback', async () => {
  const refusal = {
    passed: false,
    confidence: 0.8,
    issues: [{ message: 'The third change is not named.', criterion: 1 }],
    feedback: 'Name the third change.',
  };
  const { task, workspace, runs } = await start([says(refusal, { attempt: 1 }), says(passes, { attempt: 2 })], {});
  expect(await endOf(task)).toBe('completed');
  const [first, second] = await task.attempts();
  expect(first).toMatchObject({
    outcome: 'failed',
    type: 'verification-failed',
    judgement: { outcome: 'fail', reasonCode: 'criteria-unmet', severity: 'semantic' },
  });
  expect(second).toMatchObject({ outcome: 'passed', judgement: { outcome: 'pass' } });
  expect(runs()).toBe(2);
  expect(linesOf(join(workspace, 'prompt-2')).join('\n')).toContain('Name the third change.');
});
