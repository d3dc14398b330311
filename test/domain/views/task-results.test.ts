import { describe, expect, test } from 'vitest';
import { takeVerdict } from '../../../domain/attempt/take-verdict.ts';
import { packState, takeSurplus, unpackState } from '../../../domain/carried/carried-state.ts';
import { listTaskResults } from '../../../domain/views/task-results.ts';
import type { CompletionContract } from '../../../domain/types/basic/completion-contract.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { Driver } from '../attempt/support-driver.ts';
import { failureOf, finishedOf, refOf, rung, stateOf, subtask, t0, verdictOf } from '../support-task.ts';

/* The result that a task hands to the program or the workflow that started it. */

function done(subtasks: Subtask[], contractOf: (id: string) => CompletionContract): Driver {
  const driver = new Driver(stateOf(subtasks), t0);
  for (const { id } of subtasks) {
    driver.begin(id);
    takeVerdict(driver, id, finishedOf({ contract: contractOf(id) }), verdictOf({ result: refOf(7) }));
  }
  return driver;
}

const reported: CompletionContract = {
  status: 'success',
  notes: 'Three words',
  deliverablesTouched: ['notes.md', 'extra.md'],
};

describe('the results of a task', () => {
  test('hold state, notes, deliverables and a reference for each subtask', () => {
    const { state } = done([subtask('draft', { deliverables: ['notes.md'] })], () => reported);
    expect(listTaskResults(state).subtasks).toEqual([
      {
        ...{ id: 'draft', state: 'completed', verdict: 'pass', notes: 'Three words' },
        ...{ deliverables: ['notes.md', 'extra.md'], result: refOf(7) },
      },
    ]);
  });

  test('are the same after the records have gone to the store', () => {
    const { state } = done([subtask('draft')], () => reported);
    const before = listTaskResults(state);
    takeSurplus(state);
    const carried = unpackState(JSON.parse(JSON.stringify(packState(state))));
    expect(carried === undefined ? undefined : listTaskResults(carried)).toEqual(before);
    expect(before.subtasks[0]?.notes).toBe('Three words');
  });

  test('give the reason of a subtask that did not complete', () => {
    const ladder = [rung()];
    const driver = new Driver(stateOf([subtask('deploy', { ladder, maxAttempts: 1 })]), t0);
    driver.begin('deploy');
    driver.fail('deploy', failureOf());
    const [deploy] = listTaskResults(driver.state).subtasks;
    expect(deploy).toMatchObject({ state: 'failed', verdict: null, result: null });
    expect(deploy?.notes).not.toBe('');
  });

  test('of 2,000 subtasks with long names, notes and files stay within 1 MB, and say what they leave out', () => {
    const deliverables = Array.from({ length: 5 }, (_, file) => `${'報'.repeat(60)}/${file}.md`);
    const subtasks = Array.from({ length: 2_000 }, (_, index) =>
      subtask(`${'報'.repeat(60)}${index}`, { deliverables }),
    );
    const { state } = done(subtasks, () => ({ status: 'success', notes: '告'.repeat(400) }));
    const results = listTaskResults(state);
    expect(results.omitted).toBe(true);
    expect(results.subtasks).toHaveLength(2_000);
    expect(results.subtasks[1_999]).toMatchObject({ state: 'completed', notes: '', result: refOf(7) });
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(1024 * 1024);
  });
});
