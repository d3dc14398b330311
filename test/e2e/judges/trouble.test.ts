// Judges in the middle of everything else: restarts, budgets, people, and models that cannot answer in a form.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import { loadReport } from '../../../client/report/load-report.ts';
import { computeCalibration } from '../../../domain/report/judges.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

/** A judge that thinks is not waited for any longer when the worker stops. */
const rig = useRig({ grace: 2_000 });

const isJudge = (text: string): boolean => text.includes('You judge the work');
const said = (verdict: object): ScriptReply => ({ text: JSON.stringify(verdict) });
const passes = (confidence = 0.9): ScriptReply => said({ passed: true, confidence, issues: [] });

const notes = (
  given: Partial<NonNullable<PlanInput['subtasks']>[number]> = {},
): NonNullable<PlanInput['subtasks']>[number] => ({
  id: 'notes',
  description: 'Write notes.md',
  criteria: ['every change is named'],
  deliverables: ['notes.md'],
  executor: { kind: 'command', run: ['sh', '-c', 'echo "all is named" > notes.md'] },
  verification: 2,
  ...given,
});

async function start(
  replies: Parameters<typeof serveScript>[0],
  subtasks: NonNullable<PlanInput['subtasks']>,
  rest: Partial<PlanInput> = {},
) {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript(replies);
  writeModels(workspace, url, { model: 'output = 1000' });
  const task = await rig.start({ goal: 'Write notes', workspace, ...rest, subtasks });
  return { task, workspace, requests };
}

test('a judge sees what was asked for and what is there, and nothing of how it was done', async () => {
  const { task, requests } = await start(
    ({ text }) => {
      if (isJudge(text)) return passes();
      if (text.includes('MUTTERED')) return finishes('CLAIMED to be perfect', ['notes.md']);
      return calls(
        ['narrate', { text: 'MUTTERED to itself' }],
        ['write_file', { path: 'notes.md', content: 'WRITTEN\n' }],
      );
    },
    [notes({ executor: 'agent', verify: ['grep -c WRITTEN notes.md'] })],
  );
  expect(await endOf(task)).toBe('completed');
  const judged = requests.filter(({ text }) => isJudge(text)).map(({ text }) => text);
  expect(judged).toHaveLength(1);
  for (const part of ['every change is named', 'WRITTEN', 'grep -c WRITTEN notes.md', 'Write notes.md'])
    expect(judged[0]).toContain(part);
  for (const part of ['MUTTERED', 'CLAIMED', 'write_file']) expect(judged[0]).not.toContain(part);
  const [record] = await task.attempts();
  expect(record).toMatchObject({ modelCalls: 3, judgement: { outcome: 'pass' }, confidence: 0.97 });
});

test('a worker that stops while its judge thinks loses nothing, and the attempt does not run again; a result of the middle band is asked about, and proceeds after its time, across the restart', async () => {
  let asked = (): void => undefined;
  const thinks = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const judged = await start(
    (_, nth) => {
      asked();
      return { ...passes(), delay: nth === 1 ? 60_000 : 0 };
    },
    [notes()],
  );
  await thinks;
  const { task } = await start([passes(0.3)], [notes()], { approval: { mode: 'auto', timeout: '6s' } });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ kind: 'approval', subtask: 'notes', onTimeout: 'proceed', score: 0.79 });
  expect(await task.status()).toMatchObject({ state: 'waiting' });
  await rig.restartWorker();

  expect(await endOf(judged.task)).toBe('completed');
  const [record, ...more] = await judged.task.attempts();
  expect(more).toEqual([]);
  expect(record).toMatchObject({ attempt: 1, reruns: 0, modelCalls: 2, judgement: { outcome: 'pass' } });
  expect(judged.requests).toHaveLength(2);

  expect(await endOf(task)).toBe('completed');
  const answered = (await task.events()).filter(({ type }) => type === 'decision.answered');
  expect(answered).toMatchObject([{ option: 'approve', source: 'policy', score: 0.79 }]);
  const { report } = await loadReport(task);
  expect(computeCalibration(report.decisions)).toMatchObject([
    {},
    { from: 0.5, to: 0.8, answers: 1, byPolicy: 1 },
    {},
    {},
  ]);
  expect(report.judges).toMatchObject({ judged: 1, passed: 1, contradictions: 0 });
});

test('judges spend the one budget: at its end a person is asked, and with more of it the judge goes on', async () => {
  const { task, requests } = await start([{ text: 'hm' }, passes()], [notes()], { budget: { modelCalls: 1 } });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-modelCalls-1', kind: 'budget' });
  expect(requests).toHaveLength(1);
  await task.decide({ decisionId: decision.id, option: 'raise', value: '5' });
  expect(await endOf(task)).toBe('completed');
  const [record] = await task.attempts();
  expect(record).toMatchObject({ attempt: 1, modelCalls: 2, judgement: { outcome: 'pass' } });
  expect((await task.status()).budget['modelCalls']).toMatchObject({ used: 2, limit: 5 });
});

test('with a small model whose replies are mostly no JSON nothing hangs, calls stay bounded, and the checks decide', async () => {
  const odd = [
    'Sure! The work looks fine to me.',
    '{"passed": tru',
    '',
    '<think>hm</think>',
    'PASS or FAIL, who knows',
    '{"rating": 5}',
    '```\nnothing\n```',
    '{"passed": true}',
    'Verdict: pass\nVerdict: fail',
  ];
  const { task, requests } = await start(
    (_, nth) => ({ text: odd[(nth * 7) % odd.length] ?? '' }),
    Array.from({ length: 4 }, (_, n) =>
      notes({
        id: `s${n}`,
        deliverables: [`f${n}`],
        executor: { kind: 'command', run: ['sh', '-c', `echo x > f${n}`] },
        verify: [n === 3 ? 'false' : 'true'],
        verification: n % 2 === 0 ? 2 : 3,
        maxAttempts: 2,
        ladder: [{ tier: 'assigned' }, { tier: 'assigned', feedback: true }],
      }),
    ),
  );
  expect(await endOf(task)).toBe('failed');
  const { subtasks } = await task.status();
  expect(subtasks.find(({ id }) => id === 's3')?.state).toBe('failed');
  const records = await task.attempts();
  const voters = records.reduce((sum, { judgement }) => sum + (judgement?.votes.length ?? 0), 0);
  expect(requests.length).toBeLessThanOrEqual(3 * voters);
  for (const { subtask, judgement, verdict, outcome } of records) {
    if (subtask === 's3') expect(judgement).toBeUndefined();
    else if (judgement?.votes.every(({ passed }) => passed === null) === true)
      expect({ outcome, verdict }).toEqual({ outcome: 'passed', verdict: 'pass-with-warnings' });
  }
});

test('what was left in heddle.toml holds for subtasks that say nothing', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([passes()]);
  writeModels(workspace, url, { model: 'output = 1000' });
  const toml = `${readFileSync(join(workspace, 'heddle.toml'), 'utf8')}\n[verification]\ndefault = 2\n`;
  writeFileSync(join(workspace, 'heddle.toml'), toml);
  const { verification: _, ...plain } = notes();
  const task = await rig.start({
    goal: 'Write notes',
    workspace,
    subtasks: [plain, { ...plain, id: 'own', deliverables: [], verify: ['true'], verification: 1 }],
  });
  expect(await endOf(task)).toBe('completed');
  expect(requests).toHaveLength(1);
});
