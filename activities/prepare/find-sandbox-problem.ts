import { listNeeds } from '../../domain/executors/kinds.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import type { SandboxSetting } from '../../domain/types/basic/gate.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';

/** Agents run commands: where the config wants them in a sandbox only, there has to be one. */
export async function findSandboxProblem(
  subtasks: readonly Subtask[],
  { mode }: SandboxSetting,
  find: typeof findSandbox = findSandbox,
): Promise<Problem[]> {
  const agent = subtasks.find(({ executor }) => listNeeds(executor).models.length > 0);
  if (mode !== 'require' || agent === undefined) return [];
  const sandbox = await find();
  if (sandbox.kind !== 'none') return [];
  return [
    {
      code: 'SANDBOX_MISSING',
      message: `${agent.id} is an agent's, whose commands run in a sandbox only, and there is none where the worker runs: ${sandbox.why}`,
      where: 'sandbox.mode',
      hint: 'Install bubblewrap there (Debian, Ubuntu: `apt-get install bubblewrap`), or choose another `mode`: see docs/sandbox.md.',
    },
  ];
}
