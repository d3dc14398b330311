// A small model that plans, works and judges, and hardly ever answers in a form: everything ends, within bounds, and nothing passes that
// a check fails.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadReport } from '../../../client/report/load-report.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { endOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { goodPlan } from './support.ts';

const rig = useRig();

const prose = [
  'Sure! First I would look around, and then do it.',
  '{"subtasks": [',
  '',
  '<think>what is asked?</think>',
  '```json\n{"plan": "unclear"}\n```',
  'Everything is done, I believe.',
];
const said = (nth: number): ScriptReply => ({ text: prose[nth % prose.length] ?? '' });
const isPlanner = (text: string): boolean => text.includes('You plan the work of others');
const isJudge = (text: string): boolean => text.includes('You judge the work');

const limits = {
  ladder: [{ tier: 'assigned' as const }, { tier: 'assigned' as const, feedback: true }],
  maxAttempts: 2,
};

test('one that says nothing but prose: the goal is one subtask, which fails, after a bounded number of calls', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript((_, nth) => said(nth));
  writeModels(workspace, url, { model: 'output = 1000' });
  const task = await rig.start({ goal: 'Write notes.md', workspace, verification: 2, ladder: limits.ladder });
  expect(await endOf(task)).toBe('failed');
  const { subtasks } = await task.status();
  expect(subtasks).toMatchObject([{ id: 'execute-goal', state: 'failed', attempts: 2 }]);
  const planners = requests.filter(({ text }) => isPlanner(text)).length;
  expect(planners).toBe(3);
  // A request, two reminders of the form and one of the report, in each attempt; and one look at the failures before the last one.
  expect(requests.length - planners).toBeLessThanOrEqual(2 * 4 + 1);
  const { report } = await loadReport(task);
  expect(report.models.find(({ role }) => role === 'planner')).toMatchObject({ model: 'tier3', calls: 3 + 1 });
  expect(report.budget).toMatchObject({ modelCalls: { used: requests.length } });
});

test('one that works but cannot judge: the checks decide, and what nobody could read passes with warnings', async () => {
  const workspace = rig.workspace();
  const [inspect, notes] = goodPlan.subtasks;
  const plan = {
    subtasks: [
      inspect,
      { ...notes, verification: 2, criteria: ['it names x'], verify: ['grep -q x notes.md'] },
      {
        id: 'more',
        description: 'Write more.md',
        dependsOn: ['inspect'],
        verification: 2,
        verify: ['grep -q y more.md'],
      },
    ],
  };
  let planned = 0;
  const { url, requests } = await serveScript(({ text }, nth) => {
    if (isPlanner(text)) return (planned += 1) < 3 ? said(nth) : { text: `Here it is: ${JSON.stringify(plan)} Enjoy!` };
    if (isJudge(text)) return said(nth);
    if (text.includes('"notes.md"') || text.includes('Created notes.md')) return finishes('done', ['notes.md']);
    if (text.includes('Write notes.md') && !text.includes('Write more.md'))
      return calls(['write_file', { path: 'notes.md', content: 'x\n' }]);
    return finishes();
  });
  writeModels(workspace, url, { model: 'output = 2000' });
  const task = await rig.start({ goal: 'Two files', workspace, ladder: limits.ladder });
  expect(await endOf(task)).toBe('failed');
  const { subtasks } = await task.status();
  expect(subtasks).toMatchObject([
    { id: 'inspect', state: 'completed' },
    { id: 'notes', state: 'completed', verdict: 'pass-with-warnings' },
    { id: 'more', state: 'failed', attempts: 2 },
  ]);
  expect(existsSync(join(workspace, 'more.md'))).toBe(false);
  // Nobody judges what a check fails: three requests about the notes at most.
  expect(requests.filter(({ text }) => isJudge(text)).length).toBeLessThanOrEqual(3);
  expect(planned).toBe(3);
});
