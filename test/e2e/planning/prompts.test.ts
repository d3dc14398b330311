// What a heddle.toml says about prompts reaches every model of a task, and a change of the file none of those that run.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { goodPlan, playModels } from './support.ts';

const rig = useRig();

const wordsOf = (season: string): string => `
[prompts]
planner.constraints = "Plan for ${season}, not for {{tools}}."
executor.role = { replace = "You work in ${season}." }
judge.constraints = "It must fit ${season}."
`;

/** Whoever is asked in other words finds no reply. */
const inSpring = [
  {
    when: { role: 'planner', contains: 'Plan for spring, not for {{tools}}.' },
    reply: { text: JSON.stringify(goodPlan) },
  },
  {
    when: { role: 'executor', turn: 1, subtask: 'notes', contains: 'You work in spring.\n\n- Read the relevant files' },
    reply: { calls: [{ tool: 'write_file', input: { path: 'notes.md', content: 'x\n' } }] },
  },
  {
    when: { role: 'executor', contains: 'You work in spring.' },
    times: 2,
    reply: { calls: [{ tool: 'finish', input: { status: 'success', notes: 'done', deliverablesTouched: [] } }] },
  },
  {
    when: { role: 'verifier', contains: 'as facts.\nIt must fit spring.' },
    times: 2,
    reply: { text: JSON.stringify({ passed: true, confidence: 0.9, issues: [], feedback: '' }) },
  },
];

test('planner, executor and judge are told what the task froze, and in no word what was written later', async () => {
  const workspace = rig.workspace();
  playModels(workspace, inSpring);
  const file = join(workspace, 'heddle.toml');
  const before = readFileSync(file, 'utf8');
  appendFileSync(file, wordsOf('spring'));
  const goal = { goal: 'Write the notes', workspace, planApproval: true, verification: 2 } as const;
  const task = await rig.start(goal);
  await eventOf(task, decisionOpened('plan-1'));
  writeFileSync(file, `${before}${wordsOf('autumn')}`);
  await task.decide({ decisionId: 'plan-1', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  const records = await task.attempts();
  expect(records.map(({ subtask, outcome }) => [subtask, outcome])).toEqual([
    ['inspect', 'passed'],
    ['notes', 'passed'],
  ]);
});
