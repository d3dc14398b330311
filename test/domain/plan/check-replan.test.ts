import { describe, expect, test } from 'vitest';
import type { PlanSoFar, Replan } from '../../../domain/types/plan.ts';
import { checkReplan } from '../../../domain/plan/check-replan.ts';
import { subtask } from '../support-task.ts';

/* The contract of a new plan: what is completed stays, nothing is lost, each change has a reason, and the whole is a plan. */

const before = [
  subtask('look'),
  subtask('draft', { dependsOn: ['look'], tier: 2 }),
  subtask('check', { dependsOn: ['draft'], critical: true }),
  subtask('lost'),
  subtask('sum', { synthesis: true }),
];

const have: PlanSoFar = {
  version: 1,
  reason: 'draft does not succeed',
  pages: [],
  subtasks: [
    { id: 'look', status: 'completed', attempts: 1 },
    { id: 'draft', status: 'waiting', attempts: 4 },
    { id: 'check', status: 'pending', attempts: 0 },
    { id: 'lost', status: 'failed', attempts: 8 },
    { id: 'sum', status: 'pending', attempts: 0 },
  ],
  exhausted: ['draft'],
  steering: [],
  left: 3,
};

const replan = (given: Partial<Replan> = {}): Replan => ({
  reason: 'It is too much at once.',
  kept: [{ id: 'look' }, { id: 'draft', description: 'write the outline' }, { id: 'check' }, { id: 'sum' }],
  added: [],
  superseded: [],
  ...given,
});

const kept = (...changed: Replan['kept']): Replan['kept'] =>
  replan().kept.map((entry) => changed.find(({ id }) => id === entry.id) ?? entry);

const without = (...ids: string[]): Replan['kept'] => replan().kept.filter(({ id }) => !ids.includes(id));

const bad: [string, Partial<Replan>, string[]][] = [
  ['no reason', { reason: ' ' }, ['The new plan has no `reason`: say in one sentence why it is better.']],
  [
    'a subtask that is not there any more',
    { kept: without('check') },
    ['`check` is missing: list it, or name it in `superseded` with a reason.'],
  ],
  [
    'a completed one that is not there any more',
    { kept: without('look') },
    ['`look` is completed and stays: list it with its id alone.'],
  ],
  [
    'a completed one that is to do something else',
    { kept: kept({ id: 'look', description: 'look again' }) },
    ['`look` is completed and cannot be changed: list it with its id alone.'],
  ],
  [
    'a completed one that is superseded',
    { kept: without('look'), superseded: [{ id: 'look', reason: 'no' }] },
    [
      '`look` is completed and cannot be superseded: list it with its id alone.',
      '`draft` depends on `look`, which is superseded: change its `dependsOn`.',
    ],
  ],
  [
    'a critical one that is superseded',
    { kept: without('check'), superseded: [{ id: 'check', reason: 'no' }] },
    ['`check` is critical and cannot be superseded: keep it.'],
  ],
  [
    'one that is superseded without a reason',
    { kept: without('sum'), superseded: [{ id: 'sum', reason: '' }] },
    ['`sum` is superseded without a `reason`.'],
  ],
  [
    'one that is kept and superseded',
    { superseded: [{ id: 'sum', reason: 'no' }] },
    ['`sum` is named twice: it is kept once, or superseded.'],
  ],
  [
    'one that is superseded and unknown',
    { superseded: [{ id: 'nobody', reason: 'no' }] },
    ['`nobody` is superseded, but it is not in the plan so far.'],
  ],
  [
    'an exhausted one that stays as it is',
    { kept: kept({ id: 'draft' }), added: [subtask('more')] },
    ['`draft` cannot continue as it is: change it, or name it in `superseded`.'],
  ],
  [
    'no change at all',
    { kept: kept({ id: 'draft' }) },
    ['The new plan changes nothing.', '`draft` cannot continue as it is: change it, or name it in `superseded`.'],
  ],
  [
    'one behind a superseded one',
    { kept: without('draft'), superseded: [{ id: 'draft', reason: 'no' }] },
    ['`check` depends on `draft`, which is superseded: change its `dependsOn`.'],
  ],
  [
    'a new one behind a failed one',
    { added: [subtask('more', { dependsOn: ['lost'] })] },
    ['`more` depends on `lost`, which is failed: change its `dependsOn`.'],
  ],
  [
    'a cycle',
    { kept: kept({ id: 'draft', dependsOn: ['check'] }) },
    ['The dependencies form a cycle: draft -> check -> draft.'],
  ],
  ['a new one with a used id', { added: [subtask('lost')] }, ['The id `lost` is already used by `subtasks[3]`.']],
  [
    'a new one behind a synthesis',
    { added: [subtask('more', { dependsOn: ['sum'] })] },
    ['`sum` is a synthesis, which runs last, but `more` depends on it.'],
  ],
];

describe('a new plan', () => {
  test.each(bad)('with %s is refused with a reason', (_, given, problems) => {
    expect(checkReplan(before, have, replan(given))).toEqual({ problems });
  });

  test('keeps every position, adds at the end, and lists its changes', () => {
    const given = replan({
      kept: [...without('draft', 'check'), { id: 'check', dependsOn: ['outline', 'text'] }],
      added: [subtask('outline', { dependsOn: ['look'] }), subtask('text', { dependsOn: ['outline'] })],
      superseded: [{ id: 'draft', reason: 'it is two steps now' }],
    });
    const checked = checkReplan(before, have, given);
    if ('problems' in checked) throw new Error(checked.problems.join(' '));
    expect(checked.subtasks.map(({ id }) => id)).toEqual(['look', 'draft', 'check', 'lost', 'sum', 'outline', 'text']);
    expect(checked.subtasks[2]).toEqual({ ...before[2], dependsOn: ['outline', 'text'] });
    expect(checked.changes).toEqual({
      reason: 'It is too much at once.',
      added: ['outline', 'text'],
      retargeted: ['check'],
      superseded: [{ id: 'draft', reason: 'it is two steps now' }],
    });
  });

  test('never lowers the tier of an attempted subtask, but may lower it before', () => {
    const tried = checkReplan(before, have, replan({ kept: kept({ id: 'draft', description: 'less', tier: 1 }) }));
    expect(tried).toMatchObject({ subtasks: [{}, { id: 'draft', tier: 2 }, {}, {}, {}] });
    const untried = { ...have, exhausted: [], subtasks: have.subtasks.map((each) => ({ ...each, attempts: 0 })) };
    const lowered = checkReplan(before, untried, replan({ kept: kept({ id: 'draft', tier: 1 }) }));
    expect(lowered).toMatchObject({ subtasks: [{}, { id: 'draft', tier: 1 }, {}, {}, {}] });
  });

  test('need not name failed subtasks, which stay where they are', () => {
    expect(checkReplan(before, have, replan())).toMatchObject({ changes: { retargeted: ['draft'] } });
    expect(checkReplan(before, have, replan({ kept: [...replan().kept, { id: 'lost' }] }))).toMatchObject({
      changes: { retargeted: ['draft'] },
    });
  });
});
