// The copy of the workspace is gone before its verification: looking again never helps, so the work is done again.
import { expect, test } from 'vitest';
import type { PlanPageContent } from '../../../domain/types/plan.ts';
import { subtask } from '../execute/program/support-subtask.ts';
import { codesOf, VerifyRig } from './rig.ts';

test('is a failed check with feedback for the next attempt, neither a wait nor a question', async () => {
  const rig = await VerifyRig.make();
  try {
    const page: PlanPageContent = { goal: 'g', variables: [], subtasks: [subtask('draft', { isolation: 'worktree' })] };
    const input = { ...(await rig.input({})), plan: await rig.store.put(JSON.stringify(page)) };
    const verdict = await rig.verifyInput(input);
    expect(verdict).toMatchObject({ outcome: 'fail', result: null });
    expect(codesOf(verdict)).toEqual(['hard deliverable-missing']);
    expect(verdict.failure).toMatchObject({ type: 'verification-failed', category: 'quality' });
    expect(verdict.failure?.summary).toContain('The copy of the workspace in which draft worked is gone');
  } finally {
    await rig.remove();
  }
});
