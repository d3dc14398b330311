// Targets of a task are met by its subtasks together; a retry goes on with what was recorded; undo takes the ledger back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { pagesOf, undoHere } from './support.ts';

const rig = useRig();

const line = (record: Record<string, string>): string =>
  `printf '%s\\n' '${JSON.stringify(record)}' >> "$HEDDLE_EVIDENCE_FILE"`;
const noteOf = (target: string, quote: string): string =>
  `${line({ text: `About ${target}`, source: 'data.txt', quote, target })}; echo done`;
const noPerson = [{ tier: 'assigned' as const }];

function workspace(): string {
  const folder = rig.workspace();
  writeFileSync(join(folder, 'data.txt'), 'alpha one\nbeta two\n');
  return folder;
}

test('targets of a task are met by its subtasks together, and its ledger goes with undo', async () => {
  const folder = workspace();
  const plan = shellPlan(
    { a: { sh: noteOf('first', 'alpha one') }, b: { sh: noteOf('second', 'beta two') }, c: { sh: 'echo done' } },
    {
      workspace: folder,
      evidence: { targets: ['first', 'second'], quotes: 'required', phases: ['a', 'b'], ledger: 'out/facts.csv' },
    },
  );
  const task = await rig.start(plan);
  expect(await endOf(task)).toBe('completed');
  const rows: string[][] = parse(readFileSync(join(folder, 'out/facts.csv'), 'utf8'));
  expect(rows.slice(1).map(([id, , source, , target, quality]) => [id, source, target, quality])).toEqual([
    ['a/E1', 'data.txt', 'first', 'confirmed'],
    ['b/E1', 'data.txt', 'second', 'confirmed'],
  ]);
  const ledger = JSON.parse(readFileSync(join(folder, 'out/facts.json'), 'utf8')) as { missing: unknown[] };
  expect(ledger).toMatchObject({ version: 1, missing: [], sources: [{ at: 'data.txt', records: 2 }] });
  await undoHere(rig, task);
  expect([existsSync(join(folder, 'out')), existsSync(join(folder, 'data.txt'))]).toEqual([false, true]);
});

test('a target that no subtask meets fails the last of them, and nothing is written without evidence', async () => {
  const folder = workspace();
  const subtasks = { a: { sh: noteOf('first', 'alpha one') }, b: { sh: 'echo done', dependsOn: ['a'] } };
  const evidence = { targets: ['first', 'second'] };
  const task = await rig.start(shellPlan(subtasks, { workspace: folder, evidence, ladder: noPerson }));
  expect(await endOf(task)).toBe('failed');
  const attempts = await task.attempts();
  expect(attempts.map(({ subtask, outcome, type }) => [subtask, outcome, type])).toEqual([
    ['a', 'passed', null],
    ['b', 'failed', 'evidence-gap'],
  ]);
  const pages = await pagesOf(rig, task);
  expect(pages.flatMap(({ missing }) => missing)).toEqual([{ target: 'second', lacks: 1 }]);
  const plain = await rig.start(shellPlan({ a: { sh: noteOf('first', 'alpha one') } }, { workspace: workspace() }));
  expect(await endOf(plain)).toBe('completed');
  const { workspace: where = '' } = (await plain.plan()) ?? {};
  expect(existsSync(join(where, 'evidence-ledger.csv'))).toBe(false);
});
