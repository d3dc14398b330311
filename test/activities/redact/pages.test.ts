// A plan of two pages: the variables of a subtask on one page stay out of what a subtask on the other prints.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { draftPages, storePlan } from '../../../activities/prepare/store-plan.ts';
import { createExecuteSubtask } from '../../../activities/execute/execute-subtask.ts';
import { createVerifySubtask } from '../../../activities/verify/verify-subtask.ts';
import type { Verdict } from '../../../domain/types/attempt.ts';
import type { Outcome } from '../../../domain/types/outcome.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import { activityEnvironment, finished, makeRig } from '../execute/program/support.ts';
import { subtask } from '../execute/program/support-subtask.ts';

const secret = 'ghp_0123456789abcdef';
const command = (script: string, env: string[]) => ({
  ...{ kind: 'command' as const, run: ['sh', '-c', script], prompt: 'stdin' as const, timeout: 30_000, env },
  onCrash: 'rerun' as const,
});

test('neither the output nor a verify command shows it', async () => {
  const env = { PATH: process.env['PATH'], GH_PAT: secret };
  const rig = await makeRig(env);
  await writeFile(join(rig.workspace, 'left'), `${secret}\n`);
  const subtasks = [
    subtask('first', { executor: command('true', ['GH_PAT?']), description: 'x'.repeat(planLimits.planPageBytes) }),
    subtask('second', { executor: command('cat left', []), verify: ['cat left; exit 1'] }),
  ];
  const { pages } = await storePlan(rig.store, subtasks, draftPages('g', subtasks));
  expect(pages).toHaveLength(2);
  const { sha256, bytes } = pages[1]!;
  const input = { ...(await rig.input({ subtaskId: 'second' })), plan: { sha256, bytes } };
  const parts = {
    store: rig.store,
    root: rig.root,
    secrets: new EnvironmentSecrets(env),
    logger: { warn: () => undefined },
  };
  const outcome: Outcome = await activityEnvironment().run(createExecuteSubtask(parts), input);
  expect(finished(outcome).preview).toBe('[GH_PAT]');
  const verdict: Verdict = await activityEnvironment().run(createVerifySubtask(parts), {
    ...input,
    execution: finished(outcome),
  });
  expect(verdict.outcome).toBe('fail');
  expect(JSON.stringify(verdict)).toContain('[GH_PAT]');
  expect(JSON.stringify(verdict)).not.toContain(secret);
});

test('more names than a page can hold are refused before anything is stored', () => {
  const env = Array.from({ length: 3_000 }, (_, index) => `A_RATHER_LONG_VARIABLE_${index}`);
  expect(() => draftPages('g', [subtask('a', { executor: command('true', env) })])).toThrow(/all variables/);
});
