// A model that never saw the work being done looks at what passed its checks. Counted where the requests arrive. Two tasks play most of
// it, each in a subtask of its own; the tests look at what became of it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { endOf, linesOf, useRig } from '../../support/rig.ts';
import { witness } from '../../support/witness.ts';
import { read, start, type Course } from '../failures/support.ts';

const rig = useRig();

interface Entry {
  when?: Record<string, unknown>;
  times?: number;
  reply: Record<string, unknown>;
}

/** Reply of the judge of a subtask; of one of its attempts, when that is named. */
const says = (verdict: unknown, when: Record<string, unknown> = {}): Entry => ({
  when: { role: 'verifier', ...when },
  reply: { text: typeof verdict === 'string' ? verdict : JSON.stringify(verdict) },
});

interface Judged extends Partial<Parameters<typeof start>[1][string]> {
  judge: Entry[];
}

const passes = { passed: true, confidence: 0.9, issues: [], feedback: '' };
const refuses = { passed: false, confidence: 0.9, issues: ['It is not good.'] };
const named = 'echo "all is named" > $HEDDLE_SUBTASK_ID.md';
const onlyOnce = { maxAttempts: 1, ladder: [{ tier: 'assigned' as const }] };
const claimAbout = (path: string) => ({
  passed: false,
  confidence: 0.95,
  issues: [{ message: 'A TODO remains.', path }],
  feedback: 'Remove the TODO.',
});
const claimsStub = {
  passed: false,
  confidence: 0.95,
  issues: [{ message: 'parse() is left as a stub: it returns a constant.', path: 'stubbed.md' }],
  feedback: 'Fill in the body of parse().',
};

/** A task whose programs each write a file, before a script of judges. */
function startJudged(subtasks: Record<string, Judged>, workspace = rig.workspace()) {
  const script = Object.entries(subtasks).flatMap(([subtask, { judge }]) =>
    judge.map(({ when, ...rest }) => ({ when: { ...when, subtask }, ...rest })),
  );
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
  const plan = Object.entries(subtasks).map(([id, given]) => {
    const { judge: _, sh = named, ...rest } = given;
    return [
      id,
      {
        criteria: ['every change is named'],
        deliverables: [`${id}.md`],
        verification: 2 as const,
        ...rest,
        // In copies it would be a file that two have changed.
        sh: rest.isolation === undefined ? `${witness}; ${sh}` : sh,
      },
    ];
  });
  return start(rig, Object.fromEntries(plan) as Parameters<typeof start>[1], { workspace });
}

/** Subtasks that end well, and those that do not. */
let course: Course;
let failed: Course;

beforeAll(async () => {
  const refusal = {
    passed: false,
    confidence: 0.8,
    issues: [{ message: 'The third change is not named.', criterion: 1 }],
    feedback: 'Name the third change.',
  };
  const veto = { passed: false, confidence: 0.9, issues: ['The second change is missing.'] };
  const begun = await Promise.all([
    startJudged({
      accepted: { judge: [says(passes)] },
      refused: { judge: [says(refusal, { attempt: 1 }), says(passes, { attempt: 2 })] },
      unreadable: { judge: [{ ...says('I think it is fine, mostly.'), times: 20 }] },
      repaired: {
        judge: [says('Well, well.', { turn: 1 }), says('**Verdict:** PASS\n**Confidence:** 80%', { turn: 2 })],
      },
      unfounded: { judge: [says(claimAbout('unfounded.md')), says(passes)] },
      founded: {
        judge: [says(claimAbout('founded.md'), { attempt: 1 }), says(passes, { attempt: 2 })],
        sh: `if [ $HEDDLE_ATTEMPT = 1 ]; then echo "TODO: name them" > founded.md; else ${named}; fi`,
      },
      insisting: { judge: [{ ...says(claimAbout('insisting.md')), times: 20 }] },
      vetoed: {
        judge: [
          says(passes, { attempt: 1 }),
          says(veto, { attempt: 1 }),
          says(passes, { attempt: 1 }),
          { ...says(passes, { attempt: 2 }), times: 3 },
        ],
        verification: 3,
      },
    }),
    startJudged({
      unchecked: { judge: [says(passes)], verify: ['grep -q three unchecked.md'], ...onlyOnce },
      merged: {
        judge: [says(refuses, { attempt: 1 }), says(passes, { attempt: 2 })],
        sh: 'echo "attempt $HEDDLE_ATTEMPT" > merged.md',
        isolation: 'worktree',
      },
      kept: { judge: [says(refuses)], isolation: 'worktree', ...onlyOnce },
      stubbed: { judge: [{ ...says(claimsStub), times: 20 }], ...onlyOnce },
    }),
  ]);
  expect(await endOf(begun[0].task)).toBe('completed');
  expect(await endOf(begun[1].task)).toBe('failed');
  [course, failed] = [await read(begun[0]), await read(begun[1])];
});

test('what a judge accepts is completed, and its judgement stands in the record', () => {
  expect(course.attemptsOf('accepted')).toMatchObject([
    {
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
    },
  ]);
  expect(course.runsOf('accepted')).toHaveLength(1);
});

test('what a judge refuses is done again with its feedback', () => {
  expect(course.attemptsOf('refused')).toMatchObject([
    {
      outcome: 'failed',
      type: 'verification-failed',
      judgement: { outcome: 'fail', reasonCode: 'criteria-unmet', severity: 'semantic' },
    },
    { outcome: 'passed', judgement: { outcome: 'pass' } },
  ]);
  expect(course.runsOf('refused')).toHaveLength(2);
  expect(course.promptOf('refused', 2)).toContain('Name the third change.');
});

test('a judge that nobody can read is asked three times, and the checks stand with a warning', () => {
  expect(course.attemptsOf('unreadable')).toMatchObject([
    {
      verdict: 'pass-with-warnings',
      modelCalls: 3,
      judgement: {
        outcome: 'pass-with-warnings',
        confidence: 0,
        reasonCode: 'verifier-unreadable',
        severity: 'inconclusive',
        votes: [{ passed: null }],
      },
    },
  ]);
  expect(course.runsOf('unreadable')).toHaveLength(1);
});

test('a dead judge costs three requests at most, and good work stands', async () => {
  const { task } = await startJudged({
    work: { judge: [{ when: { role: 'verifier' }, times: 20, reply: { status: 529 } }] },
  });
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({
    verdict: 'pass-with-warnings',
    modelCalls: 0,
    judgement: { reasonCode: 'verifier-unreadable', severity: 'infra' },
  });
});

test('an answer that cannot be read is repaired', () => {
  expect(course.attemptsOf('repaired')).toMatchObject([
    { verdict: 'pass', modelCalls: 2, judgement: { outcome: 'pass', confidence: 0.8 } },
  ]);
});

test('a claim that no file shows has only the judge run again', () => {
  expect(course.attemptsOf('unfounded')).toMatchObject([
    { verdict: 'pass', modelCalls: 2, judgement: { outcome: 'pass', contradictions: 1 } },
  ]);
  expect(course.runsOf('unfounded')).toHaveLength(1);
  expect(eventsOf(course.events, 'verdict', 'unfounded')).toMatchObject([
    { outcome: 'inconclusive' },
    { outcome: 'pass' },
  ]);
});

test('the same claim is true where a file shows it', () => {
  expect(course.attemptsOf('founded')[0]).toMatchObject({
    outcome: 'failed',
    judgement: { outcome: 'fail', reasonCode: 'placeholder-left', contradictions: 0 },
  });
  expect(course.runsOf('founded')).toHaveLength(2);
});

test('a judge that insists on what no file shows is heard three times, then the checks stand', () => {
  expect(course.attemptsOf('insisting')[0]).toMatchObject({
    verdict: 'pass-with-warnings',
    modelCalls: 3,
    judgement: { reasonCode: 'verifier-contradicted', contradictions: 3 },
  });
  expect(course.runsOf('insisting')).toHaveLength(1);
});

test('a veto about something that no search of files can see stands', () => {
  expect(failed.attemptsOf('stubbed')).toMatchObject([
    { outcome: 'failed', modelCalls: 1, judgement: { outcome: 'fail', contradictions: 0 } },
  ]);
});

test('one confident veto of three fails, and the votes stand in the record', () => {
  const [first, second] = course.attemptsOf('vetoed');
  expect(first).toMatchObject({ outcome: 'failed', modelCalls: 3, judgement: { outcome: 'fail', confidence: 0.9 } });
  expect(first?.judgement?.votes.map(({ lens }) => lens)).toEqual(['correctness', 'completeness', 'evidence']);
  expect(first?.judgement?.votes.filter(({ passed }) => passed === false)).toHaveLength(1);
  expect(second).toMatchObject({ outcome: 'passed', judgement: { outcome: 'pass' } });
});

test('what fails its checks is not judged', () => {
  const [record] = failed.attemptsOf('unchecked');
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

test('work in a copy is merged when the judge has accepted it, and not before', () => {
  expect(failed.attemptsOf('merged').map(({ outcome, judgement }) => [outcome, judgement?.outcome])).toEqual([
    ['failed', 'fail'],
    ['passed', 'pass'],
  ]);
  expect(linesOf(join(failed.workspace, 'merged.md'))).toEqual(['attempt 2']);
});

test('work in a copy that no judge accepted never reaches the workspace', () => {
  expect(failed.attemptsOf('kept')).toMatchObject([{ outcome: 'failed', judgement: { outcome: 'fail' } }]);
  expect(existsSync(join(failed.workspace, 'kept.md'))).toBe(false);
});
