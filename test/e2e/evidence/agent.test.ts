// A scripted model that invents a source is caught by a program: no judge is configured. Its claim is repaired or pruned, and the report
// and the ledger tell which.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pagesOf } from './support.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

const finish: Call = {
  tool: 'finish',
  input: { status: 'success', notes: 'done', deliverablesTouched: ['report.md'] },
};
const turn = (attempt: number, n: number, ...calls: Call[]) => ({
  when: { role: 'executor', attempt, turn: n },
  reply: { calls },
});
const noteOf = (target: string, quote: string, source = 'prices.md'): Call => ({
  tool: 'note',
  input: { text: `It is known: ${target}`, source, quote, target },
});
const writeReport = (content: string): Call => ({ tool: 'write_file', input: { path: 'report.md', content } });

function workspaceWith(script: unknown[]): string {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'script.yaml'), JSON.stringify(script));
  writeFileSync(
    join(workspace, 'heddle.toml'),
    '[providers.s]\nkind = "scripted"\nscript = "script.yaml"\n[models.m]\nprovider = "s"\nid = "m"\nroles = ["executor"]\n',
  );
  writeFileSync(
    join(workspace, 'prices.md'),
    '# Prices\n\nThe basic plan costs\n  12 euros a month.\nSince May 2024.\n',
  );
  return workspace;
}

test('an invented quote fails the attempt without a judge and is repaired by the next one', async () => {
  const workspace = workspaceWith([
    turn(1, 1, { tool: 'read_file', input: { path: 'prices.md' } }),
    turn(1, 2, noteOf('the price', 'costs 12 euros a month'), noteOf('the date', 'Since June 2019')),
    turn(1, 3, writeReport('It costs 12 euros [gather/E1] since June 2019 [E2].'), finish),
    turn(
      2,
      1,
      noteOf('the date', 'Since May 2024.'),
      writeReport('It costs 12 euros [E1] since May 2024 [E3].'),
      finish,
    ),
  ]);
  const task = await rig.start({
    goal: 'know the prices',
    workspace,
    executor: 'agent',
    subtasks: [
      {
        id: 'gather',
        deliverables: ['report.md'],
        evidence: { targets: ['the price', 'the date'], quotes: 'required', citations: true },
      },
    ],
  });
  await task.result();
  const [first, second, ...more] = await task.attempts();
  expect(more).toEqual([]);
  expect([first?.type, second?.verdict]).toEqual(['evidence-gap', 'pass']);
  expect(first?.details).toContain('gather/E2');
  expect(first?.details).toContain('the date');
  const [page] = await pagesOf(rig, task);
  expect(page?.missing).toEqual([]);
  expect(page?.records.map(({ id, quality, repairedBy }) => [id, quality, repairedBy])).toEqual([
    ['gather/E1', 'confirmed', undefined],
    ['gather/E2', 'pruned', 'gather/E3'],
    ['gather/E3', 'confirmed', undefined],
  ]);
  expect(readFileSync(join(workspace, 'evidence-ledger.csv'), 'utf8')).toContain('"gather/E3"');
});
