// The report as Markdown: what it contains, and that texts of others cannot change its shape.
import { expect, test } from 'vitest';
import { reportMarkdown } from '../../client/cli/report-markdown.ts';
import { buildReport } from '../../domain/report.ts';
import { at, decision, record, status, subtask } from './cli-support.ts';

const view = status({
  state: 'completed',
  goal: 'Publish *the* notes',
  summary: '1 subtask done, lint left out',
  endedAt: at(90),
  subtasks: [
    subtask('draft', { state: 'completed', verdict: 'pass', attempts: 2, rung: 2, startedAt: at(0), endedAt: at(8) }),
    subtask('lint', { state: 'skipped', reason: 'ana chose | so' }),
  ],
});
const records = [
  record({
    outcome: 'failed',
    type: 'missing-sections',
    signature: 'missing-1',
    summary: '<b>no</b> | section\nUpgrade',
  }),
  record({
    attempt: 2,
    rung: 2,
    reruns: 2,
    costUsd: 0.5,
    tokens: 100,
    filesAffected: [{ path: 'N_x.md', state: 'created', lines: 3 }],
  }),
  record({ subtask: 'lint', outcome: 'failed', type: 'timeout', signature: 'timeout-1' }),
];
const events = [
  { id: 1, time: at(10), type: 'decision.opened', text: '', decision: decision({ id: 'lint-1' }) },
  { id: 2, time: at(20), type: 'decision.answered', text: '', decisionId: 'lint-1', option: 'skip', by: 'ana' },
  { id: 3, time: at(30), type: 'decision.opened', text: '', decision: decision({ id: 'x-1' }) },
];

const markdown = (): string => reportMarkdown(buildReport(view, records, events), view.subtasks);

test.each([
  ['the goal', /^# Publish \\\*the\\\* notes$/m],
  ['how it ended', /completed.*1 subtask done, lint left out/],
  ['each subtask', /^\| draft \|.*completed/m],
  ['failures by type', /^\| missing-sections \| 1 \|/m],
  ['common failures', /missing-1.*section Upgrade/],
  ['a decision with who and when', /lint-1.*skip.*ana.*2026-11-16/],
  ['a decision that is open', /x-1/],
  ['what was left out, and why', /lint.*ana chose \\\| so/],
  ['files', /N\\_x\.md/],
])('it has %s', (_name, pattern) => {
  expect(markdown()).toMatch(pattern);
});

test('a text of others cannot change its shape: every row has as many cells as its head', () => {
  expect(markdown()).not.toContain('<b>');
  const tables = markdown()
    .split('\n\n')
    .filter((block) => block.startsWith('|'))
    .map((block) => block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length));
  expect(tables.length).toBeGreaterThan(3);
  for (const counts of tables) expect(new Set(counts).size).toBe(1);
});

test('sections with nothing in them are left out', () => {
  const empty = status({ state: 'failed', subtasks: [] });
  expect(reportMarkdown(buildReport(empty, [], []), []).match(/^## /gm)).toHaveLength(1);
});
