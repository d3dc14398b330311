import type { CheckAnswer } from '../../../domain/types/basic/gate.ts';
import { checkHash } from '../../prepare/gate-checks.ts';

/** The verify commands as people settled them: another one in the place of one, or none. `asked`: those that a person said yes to. */
export function settleChecks(
  verify: readonly string[],
  answers: readonly CheckAnswer[],
  { workspace, at }: { workspace: string; at: string },
): { verify: string[]; approved: ReadonlySet<string> } {
  const approved = new Set<string>();
  const settled = verify.flatMap((command) => {
    const answer = answers.find(({ hash }) => hash === checkHash(command, workspace, at));
    if (answer === undefined) return [command];
    if (answer.option === 'reject') return [];
    const chosen = answer.option === 'edit' ? answer.command : command;
    approved.add(chosen);
    return [chosen];
  });
  return { verify: settled, approved };
}
