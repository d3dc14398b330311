// Judges see the records, and what they call missing disputes one or becomes a target. An activity of the user's own records too, and its
// dependents may cite that.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf, useRig } from '../../support/rig.ts';
import { useOwnActivity } from '../../support/own-activity.ts';
import { pagesOf } from './support.ts';

const rig = useRig();
const executor = useOwnActivity(rig, ({ subtaskId, attempt, workspace, prompt }) => {
  if (subtaskId === 'gather')
    return {
      status: 'success',
      notes: 'gathered',
      evidence: [{ text: 'It costs 12 euros a month', source: 'prices.md', quote: '12 euros', target: 'the price' }],
    };
  writeFileSync(join(workspace, `prompt-${attempt}.txt`), prompt);
  writeFileSync(join(workspace, 'report.md'), attempt === 1 ? 'See [gather/E9].' : 'It costs 12 euros [gather/E1].');
  return { status: 'success', notes: 'written', deliverablesTouched: ['report.md'] };
});

test('records of an activity are judged, and a dependent cites those that there are', async () => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'prices.md'), 'The plan costs 12 euros.\n');
  const verdict = {
    passed: true,
    confidence: 0.9,
    issues: [],
    missingEvidence: ['It costs 12 euros a month', 'the date'],
  };
  writeFileSync(
    join(workspace, 'script.yaml'),
    JSON.stringify([
      { when: { role: 'verifier', contains: 'quality="confirmed"' }, reply: { text: JSON.stringify(verdict) } },
    ]),
  );
  writeFileSync(
    join(workspace, 'heddle.toml'),
    '[providers.s]\nkind = "scripted"\nscript = "script.yaml"\n[models.m]\nprovider = "s"\nid = "m"\nroles = ["verifier"]\n',
  );
  const task = await rig.start({
    goal: 'know the price',
    workspace,
    executor,
    subtasks: [
      {
        id: 'gather',
        verification: 2,
        criteria: ['the price is known'],
        evidence: { targets: ['the price'], ledger: false },
      },
      { id: 'draft', dependsOn: ['gather'], deliverables: ['report.md'], evidence: { citations: true, ledger: false } },
    ],
  });
  expect(await endOf(task)).toBe('completed');
  const attempts = await task.attempts();
  expect(attempts.map(({ subtask, verdict: end, type }) => [subtask, end, type])).toEqual([
    ['gather', 'pass-with-warnings', null],
    ['draft', 'fail', 'unconfirmed-data'],
    ['draft', 'pass', null],
  ]);
  const [page] = await pagesOf(rig, task);
  expect(page?.missing).toEqual([{ target: 'the date', lacks: 1, by: 'judge' }]);
  expect(readFileSync(join(workspace, 'prompt-1.txt'), 'utf8')).toContain('<known_evidence>');
});
