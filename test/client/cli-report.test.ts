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

test('it has the figures, the subtasks, the failures, the recovery, the decisions, what was left out and rerun', () => {
  expect(reportMarkdown(buildReport(view, records, events), view.subtasks)).toMatchInlineSnapshot(`
    "# Publish \\*the\\* notes

    Task \`t1\` — **completed**: 1 subtask done, lint left out

    ## Figures

    - Started 2026-11-16T10:00:00.000Z, ended 2026-11-16T10:01:30.000Z (1 min 30 s)
    - 2 subtasks: 1 completed, 0 failed or blocked, 1 left out
    - 3 attempts: 0 % passed at the first try, 1 recovered, 2 asked a person, 2 reruns after a crash
    - Cost: 0.50 USD, 100 tokens; 0.50 USD per recovered subtask

    ## Subtasks

    | Subtask | State | Attempts | Rung | Tier | Time | Remark |
    | --- | --- | --- | --- | --- | --- | --- |
    | draft | completed | 2 | 2 | 1 | 8 s | last failure: &lt;b&gt;no&lt;/b&gt; \\| section Upgrade |
    | lint | skipped | 1 | 1 | 1 |  | ana chose \\| so |

    ## Failures by type

    | Type | Count |
    | --- | --- |
    | missing-sections | 1 |
    | timeout | 1 |

    ## Common failures

    | Signature | Type | Count | Says |
    | --- | --- | --- | --- |
    | missing-1 | missing-sections | 1 | &lt;b&gt;no&lt;/b&gt; \\| section Upgrade |
    | timeout-1 | timeout | 1 |  |

    ## Recovered, by rung

    | Rung | Subtasks |
    | --- | --- |
    | 2 | 1 |

    ## Decisions

    | Decision | Kind | Answer | By | When |
    | --- | --- | --- | --- | --- |
    | lint-1 | escalation | skip | ana | 2026-11-16T10:00:20.000Z |
    | x-1 | escalation | open |  |  |

    ## Left out

    - lint: ana chose \\| so

    ## Run again after a crash

    | Subtask | Attempt | Reruns |
    | --- | --- | --- |
    | draft | 2 | 2 |

    ## Files changed

    - N\\_x.md"
  `);
});

test('sections with nothing in them are left out', () => {
  const empty = status({ state: 'failed', subtasks: [] });
  expect(reportMarkdown(buildReport(empty, [], []), [])).not.toMatch(/## (?!Figures)/);
});
