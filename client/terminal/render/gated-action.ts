import { optionRule } from '../../../domain/decisions/options/decision-kinds.ts';
import { exampleValue, formatAction, formatNeed } from '../../../domain/decisions/options/format-action.ts';
import type { Decision } from '../../../domain/types/decision.ts';
import { exactLine, plainLine } from '../text/terminal-text.ts';

/** The subject of a question, in a sentence or two: a gated action has lines of its own. */
export function formatProblem(decision: Decision): string {
  const isGate = decision.kind === 'approval' && decision.action !== undefined;
  return plainLine(isGate ? formatNeed(decision.subtask, decision.action) : decision.problem);
}

/** The lines of what would be run; none where no action is asked about. */
export function actionLines(decision: Decision): string[] {
  if (decision.kind !== 'approval' || decision.action === undefined) return [];
  return formatAction(decision.action).split('\n').map(exactLine);
}

/** How the action is run with other arguments, in a shell; undefined where no action is asked about. */
export function editCommand(taskId: string, decision: Decision): string | undefined {
  if (decision.kind !== 'approval' || decision.action === undefined) return undefined;
  const { needsValue } = optionRule(decision, 'edit');
  const value = exampleValue(decision.action, needsValue?.example ?? '{}').replaceAll("'", `'\\''`);
  return `heddle decide ${taskId} ${decision.id} edit --value '${exactLine(value)}'`;
}
