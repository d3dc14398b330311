// A model that never saw the work being done looks at what passed its checks. Counted where the requests arrive.
import { existsSync, writeFileSync } from 'node:fs';
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
  subtask: Partial<NonNullable<PlanInput['subtasks']>[number]>,
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

test('a judge that nobody can read is asked three times, and the checks stand with a warning', async () => {
  const { task, runs } = await start([{ ...says('I think it is fine, mostly.'), times: 20 }], {});
  expect(await endOf(task)).toBe('completed');
  const [record, ...more] = await task.attempts();
  expect(more).toEqual([]);
  expect(record).toMatchObject({
    verdict: 'pass-with-warnings',
    modelCalls: 3,
    judgement: {
      outcome: 'pass-with-warnings',
      confidence: 0,
      reasonCode: 'verifier-unreadable',
      severity: 'inconclusive',
      votes: [{ passed: null }],
    },
  });
  expect(runs()).toBe(1);
});

test('a dead judge costs three requests at most, and good work stands', async () => {
  const { task } = await start([{ when: { role: 'verifier' }, times: 20, reply: { status: 529 } }], {});
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({
    verdict: 'pass-with-warnings',
    modelCalls: 0,
    judgement: { reasonCode: 'verifier-unreadable', severity: 'infra' },
  });
});

test('an answer that cannot be read is repaired', async () => {
  const { task } = await start(
    [says('Well, well.', { turn: 1 }), says('**Verdict:** PASS\n**Confidence:** 80%', { turn: 2 })],
    {},
  );
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({ verdict: 'pass', modelCalls: 2, judgement: { outcome: 'pass', confidence: 0.8 } });
});

const claim = {
  passed: false,
  confidence: 0.95,
  issues: [{ message: 'A TODO remains.', path: 'notes.md' }],
  feedback: 'Remove the TODO.',
};

test('a claim that no file shows has only the judge run again', async () => {
  const { task, runs } = await start([says(claim), says(passes)], {});
  expect(await endOf(task)).toBe('completed');
  const [record, ...more] = await task.attempts();
  expect(more).toEqual([]);
  expect(record).toMatchObject({ verdict: 'pass', modelCalls: 2, judgement: { outcome: 'pass', contradictions: 1 } });
  expect(runs()).toBe(1);
  const { items } = await task.allEvents();
  expect(items.filter(({ type }) => type === 'verdict')).toMatchObject([
    { outcome: 'inconclusive' },
    { outcome: 'pass' },
  ]);
});

test('the same claim is true where a file shows it', async () => {
  const script = [says(claim, { attempt: 1 }), says(passes, { attempt: 2 })];
  const sh =
    'if [ $HEDDLE_ATTEMPT = 1 ]; then echo "TODO: name them" > notes.md; else echo "all is named" > notes.md; fi';
  const { task, runs } = await start(script, {}, {}, sh);
  expect(await endOf(task)).toBe('completed');
  const [first] = await task.attempts();
  expect(first).toMatchObject({
    outcome: 'failed',
    judgement: { outcome: 'fail', reasonCode: 'placeholder-left', contradictions: 0 },
  });
  expect(runs()).toBe(2);
});

test('a judge that insists on what no file shows is heard three times, then the checks stand', async () => {
  const { task, runs } = await start([{ ...says(claim), times: 20 }], {});
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({
    verdict: 'pass-with-warnings',
    modelCalls: 3,
    judgement: { reasonCode: 'verifier-contradicted', contradictions: 3 },
  });
  expect(runs()).toBe(1);
});

test('one confident veto of three fails, and the votes stand in the record', async () => {
  const veto = { passed: false, confidence: 0.9, issues: ['The second change is missing.'] };
  const { task } = await start(
    [
      says(passes, { attempt: 1 }),
      says(veto, { attempt: 1 }),
      says(passes, { attempt: 1 }),
      { ...says(passes, { attempt: 2 }), times: 3 },
    ],
    { verification: 3 },
  );
  expect(await endOf(task)).toBe('completed');
  const [first, second] = await task.attempts();
  expect(first).toMatchObject({ outcome: 'failed', modelCalls: 3, judgement: { outcome: 'fail', confidence: 0.9 } });
  expect(first?.judgement?.votes.map(({ lens }) => lens)).toEqual(['correctness', 'completeness', 'evidence']);
  expect(first?.judgement?.votes.filter(({ passed }) => passed === false)).toHaveLength(1);
  expect(second).toMatchObject({ outcome: 'passed', judgement: { outcome: 'pass' } });
});

test('what fails its checks is not judged', async () => {
  const { task } = await start([says(passes)], {
    verify: ['grep -q three notes.md'],
    maxAttempts: 1,
    ladder: [{ tier: 'assigned' }],
  });
  expect(await endOf(task)).toBe('failed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({ outcome: 'failed', modelCalls: 0 });
  expect(record?.judgement).toBeUndefined();
});

test('without a model that judges, the task is refused before it starts', async () => {
  const workspace = rig.workspace();
  const task = await rig.start({
    goal: 'Write notes',
    workspace,
    verification: 2,
    subtasks: [{ id: 'notes', executor: { kind: 'command', run: ['true'] } }],
  });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

test('work in a copy is merged when the judge has accepted it, and not before', async () => {
  const refusal = { passed: false, confidence: 0.9, issues: ['It is not good.'] };
  const script = [says(refusal, { attempt: 1 }), says(passes, { attempt: 2 })];
  const sh = 'echo "attempt $HEDDLE_ATTEMPT" > notes.md';
  const { task, workspace } = await start(script, { isolation: 'worktree', dependsOn: [] }, {}, sh);
  expect(await endOf(task)).toBe('completed');
  expect((await task.attempts()).map(({ outcome, judgement }) => [outcome, judgement?.outcome])).toEqual([
    ['failed', 'fail'],
    ['passed', 'pass'],
  ]);
  expect(linesOf(join(workspace, 'notes.md'))).toEqual(['attempt 2']);
});

test('work in a copy that no judge accepted never reaches the workspace', async () => {
  const refusal = { passed: false, confidence: 0.9, issues: ['It is not good.'] };
  const { task, workspace } = await start([says(refusal)], {
    isolation: 'worktree',
    maxAttempts: 1,
    ladder: [{ tier: 'assigned' }],
  });
  expect(await endOf(task)).toBe('failed');
  expect(existsSync(join(workspace, 'notes.md'))).toBe(false);
});
