import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import { formatGoal } from '../../domain/plan/goal-text.ts';
import { clip, escapeMarkdown } from '../../domain/text/text.ts';

/** The server keeps 20 KB of details; a plan that is longer is told by its beginning. */
const rows = 60;

/** The plan as Markdown for the Web UI, as it was when the task started. */
export function describePlan(plan: PlanInput): string {
  const { subtasks = [] } = plan;
  const lines = subtasks.slice(0, rows).map(({ id, description, dependsOn }) => {
    const after =
      dependsOn === undefined || dependsOn.length === 0 ? '' : ` (after ${dependsOn.map(escapeMarkdown).join(', ')})`;
    const what = description === undefined ? '' : `: ${escapeMarkdown(clip(description, 120))}`;
    return `- **${escapeMarkdown(id)}**${after}${what}`;
  });
  const more = subtasks.length > rows ? [`- and ${subtasks.length - rows} more`] : [];
  return [escapeMarkdown(clip(formatGoal(plan), 400)), '', ...lines, ...more].join('\n');
}
