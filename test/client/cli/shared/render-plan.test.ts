// `heddle plan`: each subtask with its executor, its deliverables and its checks.
import { expect, test } from 'vitest';
import { renderPlan } from '../../../../client/terminal/render/render-plan.ts';

test('a plan shows executors, deliverables and checks of each subtask', () => {
  const subtasks = [
    { id: 'inspect', description: 'Look around', executor: { kind: 'agent', tools: ['read_file'] } },
    {
      id: 'notes',
      description: 'Write the notes',
      dependsOn: ['inspect'],
      deliverables: ['NOTES.md', 'log.txt'],
      verify: ["grep -q '^## ' NOTES.md"],
      requiredSections: ['Changes'],
      rules: [{}],
      criteria: ['every change is named'],
    },
  ];
  const estimate = { tokens: 12_000, costUsd: 0.5 };
  expect(renderPlan({ goal: 'g', subtasks, estimate, degraded: false, executor: 'claude' })).toEqual([
    'inspect',
    '  Look around',
    '  executor      agent',
    '  deliverables  none',
    '  checks        none of its own',
    '',
    'notes  (after inspect)',
    '  Write the notes',
    '  executor      claude',
    '  deliverables  NOTES.md, log.txt',
    "  checks        grep -q '^## ' NOTES.md",
    '                sections: Changes',
    '                1 rule',
    '                judged: every change is named',
    '',
    'Estimated cost: about 12k tokens, $0.50.',
  ]);
});
