import type { BudgetKey } from '../../../domain/types/basic/budget.ts';
import { formatAmount, formatBudget } from '../../../domain/events/format-budget.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { Paint } from '../text/paint.ts';
import { renderDecision } from './render-decision.ts';
import { describeNow, describeSubtask, lookOfSubtask, lookOfTask } from './subtask-row.ts';
import { renderTable, type Row } from './table.ts';
import { plainLine } from '../text/terminal-text.ts';

export interface StatusOptions {
  link: string | null;
  now: number;
  width: number;
  paint: Paint;
}

/** The sentence comes first, then the facts behind it. */
export function renderStatus(status: StatusView, options: StatusOptions): string[] {
  const { paint, width, now, link } = options;
  const [symbol, style] = lookOfTask(status);
  const questions = status.decisions.flatMap((decision) => ['', ...renderDecision(status.id, decision, paint)]);
  const facts: Row[] = [
    { cells: ['Task', `${status.id} (${status.state})`] },
    { cells: ['Goal', plainLine(status.goal)] },
    ...optional('Project', status.project),
    ...optional('Workspace', status.workspace),
    ...optional('Host', status.host),
    { cells: ['Started', `${status.startedAt}${status.endedAt === null ? '' : `, ended ${status.endedAt}`}`] },
    ...budgetRows(status),
    ...optional('Web UI', link),
  ];
  return [
    `${paint(style, symbol)} ${paint('bold', describeNow(status, now))}`,
    '',
    ...renderTable(facts, Infinity, paint),
    ...(status.subtasks.length === 0 ? [] : ['', ...renderTable(subtaskRows(status, now), width, paint)]),
    ...questions,
  ];
}

const optional = (name: string, value: string | null): Row[] => (value === null ? [] : [{ cells: [name, value] }]);

function subtaskRows(status: StatusView, now: number): Row[] {
  const context = { status, now, tiers: new Map<string, number>() };
  return [
    { cells: [' ', 'SUBTASK', 'STATE', 'ATTEMPTS', 'TIER', 'RUNG', ''], style: 'dim' },
    ...status.subtasks.map((subtask): Row => {
      const { id, state, attempts, tier, rung } = subtask;
      const [symbol, style] = lookOfSubtask(subtask);
      const cells = [symbol, id, state, String(attempts), String(tier), String(rung)];
      return { cells: [...cells, describeSubtask({ ...subtask, attempts: 0 }, context)], style };
    }),
  ];
}

function budgetRows({ budget }: StatusView): Row[] {
  const entries = Object.entries(budget) as [BudgetKey, { used: number; limit: number | null }][];
  return entries
    .filter(([, { limit }]) => limit !== null)
    .map(([key, { used, limit }], index) => ({
      cells: [
        index === 0 ? 'Budget' : '',
        `${formatBudget(key)}: ${formatAmount(key, used)} of ${formatAmount(key, limit ?? 0)}`,
      ],
    }));
}
