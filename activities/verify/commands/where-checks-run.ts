import { isAgentWork } from '../../../domain/executors/agent-work.ts';
import { findSandbox } from '../../sandbox/find-sandbox.ts';
import type { Definition } from '../../pages/plan-pages.ts';
import { confineChecks, openChecks, type CheckPlace } from './confine-checks.ts';
import type { ConfinedChecks } from './run-confined.ts';

/**
 * Finds where the verify commands of a subtask run; undefined: beside everything else, as programs of the plan do. Those that a model wrote pass the
 * gate. Those of a person who checks an agent's work are as they are, but what they run (tests, build scripts) the agent may have written.
 */
export async function whereChecksRun(
  definition: Definition,
  approvedCommands: ReadonlySet<string>,
  place: CheckPlace,
): Promise<ConfinedChecks | undefined> {
  const { subtask, sandbox } = definition;
  const approved = new Set([...approvedCommands, ...(subtask.processChecks ?? [])]);
  if (subtask.verifyInSandbox === true) return confineChecks(definition, approved, place);
  if (subtask.verifyOutside === true || !isAgentWork(subtask.executor)) return undefined;
  const hasOne = sandbox.mode === 'require' || (sandbox.mode === 'auto' && (await findSandbox()).kind === 'bubblewrap');
  if (!hasOne) return undefined;
  return { port: await openChecks(definition, place), refusal: () => Promise.resolve(undefined) };
}
