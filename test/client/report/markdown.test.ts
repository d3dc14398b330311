// The report as Markdown: what it contains, and that texts of others cannot change its shape.
import { expect, test } from 'vitest';
import { calibrationTable } from '../../../client/report/judge-tables.ts';
import { reportMarkdown, section as sectionOf } from '../../../client/report/markdown.ts';
import { computeCalibration } from '../../../domain/report/judges.ts';
import { buildReport } from '../../../domain/report/report.ts';
import { record, status, subtask } from '../cli/shared/support.ts';
import { fullReport, fullStatus, hostile } from './fixture.ts';

const full = reportMarkdown(fullReport(), fullStatus.subtasks);

/** Lines of the section with this title. */
const section = (title: string, text = full): string[] =>
  (text.split(`## ${title}\n\n`)[1] ?? '').split('\n\n## ')[0]?.split('\n') ?? [];

test('the head says what, how it ended and when', () => {
  expect(full.split('\n').slice(0, 5)).toEqual([
    '# Publish the release notes of version 4',
    '',
    'Task `t1` — **failed**: deploy failed; announce could not run',
    '',
    'Started 2026-11-16 10:00:00 UTC, ended 2026-11-16 12:02:00 UTC (2 h 2 min)',
  ]);
});

test('the summary has the metrics of a retry summary', () => {
  for (const line of [
    '| Subtasks | 10 |',
    '| Completed | 6 |',
    '| of these only in part | 1 |',
    '| of these reused | 1 |',
    '| Failed | 1 |',
    '| Blocked | 1 |',
    '| Skipped | 2 |',
    '| Passed on the first try | 3 (43 %) |',
    '| Tried more than once | 3 (43 %) |',
    '| Recovered | 2 |',
    '| Questions to a person after failures | 3 |',
    '| Reruns after a crash | 2 |',
    '| Waits for the environment | 2 (20 s) |',
    '| Cost | 1.45 USD, 14,500 tokens |',
    '| Per recovered subtask | 0.45 USD, 4,500 tokens |',
  ])
    expect(section('Summary')).toContain(line);
});

test('each subtask has its result as what it is', () => {
  const results = section('Subtasks')
    .slice(2)
    .map((line) => line.split(' | ').slice(0, 3).join(' | ').slice(2));
  expect(results).toEqual([
    'collect | completed, reused from t0 | 0',
    'draft | completed after 3 attempts | 3',
    'summary | completed on the first try | 1',
    'translate | completed only in part (partial-verified) on the first try | 1',
    'images | completed with warnings after 2 attempts, a person was asked | 2',
    'lint | skipped, a person was asked | 1',
    'style | skipped | 0',
    'review | completed on the first try | 1',
    'deploy | failed, a person was asked | 2',
    'announce | blocked | 0',
  ]);
});

test('patterns say what fixed them, decisions who answered, and what was left out its impact', () => {
  expect(section('Common failure patterns')).toContain(
    '| missing-sections-1a | missing-sections | 3 | draft and images | rung 3, a higher tier: draft; rung 2, a person’s guidance (ben): images | The section Pictures is missing |',
  );
  expect(section('Decisions')).toContain(
    '| deploy-2 | approval | reject | policy, no person: deadline passed | 2026-11-16 12:01:40 UTC | 20 s | deploy ended with an error. |',
  );
  expect(section('Decisions').join('\n')).toContain('| plan-2 | plan | not answered |');
  expect(section('Skipped')[2]).toBe(
    '| lint | ana chose to continue without it | review ran without it; style did not run | 2026-11-16 10:01:30 UTC |',
  );
  expect(section('Failed and blocked')[3]).toBe('| lint | was blocked, now skipped | There is no linter here |');
});

test('what models did stands there in all, by role and by attempt, where there were any', () => {
  const use = (model: string, calls: number, costUsd: number) => ({
    model,
    role: 'executor' as const,
    calls,
    tokens: calls * 1_000,
    costUsd,
  });
  const compacted = { ...use('large', 1, 0.1), role: 'compactor' as const };
  const records = [
    record({
      subtask: 'a',
      modelCalls: 3,
      toolCalls: 7,
      toolFailures: [
        { tool: 'shell', calls: 2, last: 'exit 1' },
        { tool: 'git', calls: 1, last: 'no repository' },
      ],
      tokens: 3_000,
      costUsd: 0.3,
      models: [use('small', 2, 0.1), use('large', 1, 0.2)],
    }),
    record({ subtask: 'a', attempt: 2, modelCalls: 1, tokens: 1_000, costUsd: 0.2, models: [use('large', 1, 0.2)] }),
    record({ subtask: 'b', models: [compacted], modelCalls: 1, tokens: 1_000, costUsd: 0.1 }),
    record({ subtask: 'c' }),
  ];
  const text = reportMarkdown(buildReport(status({}), records, []), []);
  expect(section('Models', text).slice(2)).toEqual([
    '| large | executor | 2 | 2,000 | 0.40 USD |',
    '| small | executor | 2 | 2,000 | 0.10 USD |',
    '| large | compactor | 1 | 1,000 | 0.10 USD |',
  ]);
  expect(section('Attempts that used models', text).slice(2)).toEqual([
    '| a | 1 | small and large | 3 | 7 | 3 | 3,000 | 0.30 USD |',
    '| a | 2 | large | 1 | 0 | 0 | 1,000 | 0.20 USD |',
    '| b | 1 | large | 1 | 0 | 0 | 1,000 | 0.10 USD |',
  ]);
  expect(section('Tool calls that failed', text).slice(2)).toEqual([
    '| a | 1 | shell | 2 | exit 1 |',
    '| a | 1 | git | 1 | no repository |',
  ]);
});

test('every section is there, and none that is empty', () => {
  expect([...full.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
    'Summary',
    'Subtasks',
    'Failed and blocked',
    'Skipped',
    'Failures by type',
    'Recovery by rung',
    'Common failure patterns',
    'Recovered subtasks',
    'Decisions',
    'Run again after a crash',
    'Waits for the environment',
    'Reused',
    'Budget',
    'What else happened',
    'Files changed',
  ]);
  const empty = reportMarkdown(buildReport(status({ state: 'failed' }), [], []), []);
  expect([...empty.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(['Summary']);
});

test('pipes, line breaks, HTML and emphasis in texts of others break no table and mean nothing', () => {
  const view = status({
    goal: hostile,
    summary: hostile,
    subtasks: [subtask('a', { state: 'skipped', reason: hostile, attempts: 1 })],
  });
  const records = [record({ subtask: 'a', outcome: 'failed', type: 'unknown', signature: 'u-1', summary: hostile })];
  const text = reportMarkdown(buildReport(view, records, []), view.subtasks);
  expect(text).not.toMatch(/<\w|(?<!\\)[*`]a|\u001b/);
  for (const table of text.split('\n\n').filter((part) => part.startsWith('|'))) {
    const widths = table.split('\n').map((line) => [...line.matchAll(/(?<!\\)\|/g)].length);
    expect(new Set(widths).size).toBe(1);
  }
  expect(section('Common failure patterns', text)).toHaveLength(3);
});

test('a table ends where nobody reads on, and says so', () => {
  const subtasks = Array.from({ length: 600 }, (_, index) => subtask(`s${index}`));
  const lines = section('Subtasks', reportMarkdown(buildReport(status({ subtasks }), [], []), subtasks));
  expect(lines[0]).toBe('The first 500 of 600; heddle report --json has all.');
  expect(lines).toHaveLength(504);
});

test('what judges said, and how often the files contradicted them', () => {
  const judgement = {
    outcome: 'fail' as const,
    confidence: 0.9,
    reasonCode: 'criteria-unmet' as const,
    severity: 'semantic' as const,
    votes: [
      { lens: 'correctness' as const, model: 'm', passed: true, confidence: 0.9 },
      { lens: 'evidence' as const, model: 'm', passed: null, confidence: 0 },
    ],
    contradictions: 1,
  };
  const report = buildReport(status(), [record({ subtask: 'a', judgement })], []);
  expect(section('Judges', reportMarkdown(report, [subtask('a')])).slice(-1)).toEqual([
    '| a | 1 | fail | 0.90 | criteria-unmet | semantic | correctness: yes, evidence: unread | 1 |',
  ]);
});

test('calibration is a table of bands', () => {
  const bands = computeCalibration([]);
  expect(sectionOf(calibrationTable(bands)).split('\n').at(-1)).toBe('| 0 to 0.2 | 0 | 0 | 0 | 0 |  |');
});

test('names what undo does not cover, and why', () => {
  const gap = { subtask: 'a', attempt: 2, moment: 'end' as const, at: '2026-11-16T10:00:00.000Z', reason: 'no space' };
  const uncovered = { outside: [{ path: 'node_modules', why: 'generated' as const }], gaps: [gap] };
  const text = reportMarkdown(buildReport(status({}), [], []), [], uncovered);
  expect(section('Not covered by undo', text).slice(-2)).toEqual([
    '| node\\_modules | changed; snapshots leave out generated folders |',
    '| the end of a, attempt 2 | no space |',
  ]);
  const unknown = reportMarkdown(buildReport(status({}), [], []), [], { unknown: 'the folder is gone' });
  expect(section('Not covered by undo', unknown).at(-1)).toBe('| not known | the folder is gone |');
});
