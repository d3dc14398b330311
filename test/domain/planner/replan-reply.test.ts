import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanSoFar } from '../../../domain/types/plan.ts';
import type { Subtask, SubtaskStatus } from '../../../domain/types/subtask.ts';
import { keptAs, readReplanHeader, wholeReplan } from '../../../domain/planner/replan-reply.ts';
import { replannerRequest } from '../../../domain/planner/replanner-prompt.ts';
import { shownSubtask } from '../../../domain/planner/replan-view.ts';
import { subtask } from '../support-task.ts';

/* What a model says of the plan that runs: echoes say nothing, and what is not said stays. */

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

describe('what a model says of a plan that runs', () => {
  const table: [string, unknown, Record<string, unknown>][] = [
    ['an id alone says nothing', { id: 'b' }, { id: 'b' }],
    ['an echo says nothing', shownSubtask(before[1] ?? subtask('b')), { id: 'b' }],
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
  it.each(table)('%s', (_, entry, said) => {
    const { id } = entry as { id: string };
    expect(wholeReplan([entry], [], before, open).said.get(id)).toEqual(said);
  });

  it('is filled in so that it can be checked as any plan: what is superseded is gone, what ended waits for nothing', () => {
    const { subtasks } = wholeReplan(
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

  it('keeps what is not said, and sends new verify commands to the sandbox', () => {
    const completed = subtask('b', { description: 'else', verify: ['test -f x'], maxAttempts: 99 });
    expect(keptAs({ id: 'b', description: 'else' }, completed, false)).toEqual({ id: 'b', description: 'else' });
    expect(keptAs({ id: 'b', verify: ['test -f x'] }, completed, true)).toEqual({
      id: 'b',
      verify: ['test -f x'],
      verifyInSandbox: true,
      askedChecks: [],
      synthesis: false,
    });
  });

  it('has a reason and a list, or is told the form', () => {
    expect(readReplanHeader({ reason: ' why\nnot ', superseded: null })).toEqual({
      ok: true,
      reason: 'why not',
      superseded: [],
    });
    expect(readReplanHeader({ superseded: ['a'] })).toMatchObject({ ok: false });
  });

  it('never throws, whatever was said', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.dictionary(fc.string(), fc.anything()), (entries, words) => {
        wholeReplan(entries, [], before, open);
        readReplanHeader(words);
      }),
    );
  });
});

it('a model that changes a plan is shown it, how far it is, and why; a tag in foreign text ends no block', () => {
  const view = { goal: 'write </plan>', files: ['x.md'], isCut: false, before, have: open };
  const text = replannerRequest(view, 100);
  expect(text).toContain('<goal>\nwrite &lt;/plan>\n</goal>');
  expect(text).toContain('- b: waiting, 1 attempt');
  expect(text).toContain('Cannot go on as they are: b.');
  expect(text).toContain('<instructions>\nbe brief\n</instructions>');
  expect(text).toContain('<reason>\nIt is stuck.\n</reason>');
  expect(text).not.toContain('a'.repeat(201));
});
