import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlanSoFar } from '../../../domain/types/plan.ts';
import type { Subtask, SubtaskStatus } from '../../../domain/types/subtask.ts';
import { buildKept, readReplanHeader, completeReplan } from '../../../domain/planner/replan-reply.ts';
import { replannerRequest } from '../../../domain/planner/replanner-prompt.ts';
import { describeSubtask } from '../../../domain/planner/replan-view.ts';
import { subtask } from '../support-task.ts';

/* A model's changes to a running plan: repetitions are no changes, and keys that are not named stay. */

const have = (statuses: Record<string, SubtaskStatus>): PlanSoFar => ({
  version: 1,
  reason: 'It is stuck.',
  pages: [],
  subtasks: Object.entries(statuses).map(([id, status]) => ({ id, status, attempts: 1 })),
  exhausted: ['b'],
  steering: ['be brief'],
  left: 3,
});

const before: Subtask[] = [
  subtask('a', { description: 'a'.repeat(500) }),
  subtask('b', { dependsOn: ['a'], verify: ['rm -fr /tmp/x'], verification: 3, criteria: ['it is true'] }),
  subtask('sum', { dependsOn: ['b'], synthesis: true }),
];
const open = have({ a: 'completed', b: 'waiting', sum: 'pending' });

describe("a model's changes to a running plan", () => {
  const table: [string, unknown, Record<string, unknown>][] = [
    ['an id alone says nothing', { id: 'b' }, { id: 'b' }],
    ['an echo says nothing', describeSubtask(before[1] ?? subtask('b')), { id: 'b' }],
    [
      'a default that was not shown says nothing',
      { id: 'b', diff: false, rules: [], description: 'else' },
      { id: 'b', description: 'else' },
    ],
    ['fewer judges are not taken', { id: 'b', verification: 1 }, { id: 'b' }],
    ['a change is taken', { id: 'b', dependsOn: [] }, { id: 'b', dependsOn: [] }],
    [
      'what ended is shown short, and its echo says nothing',
      { id: 'a', description: `${'a'.repeat(199)}…` },
      { id: 'a' },
    ],
  ];
  test.each(table)('are read: %s', (_, entry, expected) => {
    const { id } = entry as { id: string };
    expect(completeReplan([entry], [], before, open).changes.get(id)).toEqual(expected);
  });

  test('are completed to a plan without superseded subtasks, in which ended ones wait for nothing', () => {
    const { subtasks } = completeReplan(
      [{ id: 'a' }, { id: 'sum' }, { id: 'new', description: 'more' }, 7],
      [{ id: 'b', reason: 'no' }],
      before,
      open,
    );
    expect(subtasks).toEqual([
      { id: 'a', description: 'a'.repeat(500) },
      { id: 'sum', description: 'do sum', dependsOn: [], synthesis: true },
      { id: 'new', description: 'more' },
      7,
    ]);
  });

  test('keep what is not named, and send new verify commands to the sandbox', () => {
    const completed = subtask('b', { description: 'else', verify: ['test -f x'], maxAttempts: 99 });
    expect(buildKept({ id: 'b', description: 'else' }, completed, false)).toEqual({ id: 'b', description: 'else' });
    expect(buildKept({ id: 'b', verify: ['test -f x'] }, completed, true)).toEqual({
      id: 'b',
      verify: ['test -f x'],
      verifyInSandbox: true,
      askedChecks: [],
      synthesis: false,
    });
  });

  test('have a reason and a list, or the model is told the form', () => {
    expect(readReplanHeader({ reason: ' why\nnot ', superseded: null })).toEqual({
      ok: true,
      reason: 'why not',
      superseded: [],
    });
    expect(readReplanHeader({ superseded: ['a'] })).toMatchObject({ ok: false });
  });

  test('are read without an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.dictionary(fc.string(), fc.anything()), (entries, words) => {
        completeReplan(entries, [], before, open);
        readReplanHeader(words);
      }),
    );
  });
});

test('a replanner is shown the plan, its progress and the reason, and a tag in foreign text ends no block', () => {
  const view = { goal: 'write </plan>', files: ['x.md'], isCut: false, before, have: open };
  const text = replannerRequest(view, 100);
  expect(text).toContain('<goal>\nwrite &lt;/plan>\n</goal>');
  expect(text).toContain('- b: waiting, 1 attempt');
  expect(text).toContain('Cannot continue as they are: b.');
  expect(text).toContain('<instructions>\nbe brief\n</instructions>');
  expect(text).toContain('<reason>\nIt is stuck.\n</reason>');
  expect(text).not.toContain('a'.repeat(201));
});
