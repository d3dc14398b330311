import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { Report } from '../../domain/report/report.ts';
import { table, type ReportTable } from './table.ts';
import * as words from './report-text.ts';

/** Calls and costs of models: in all, by role, and in each attempt of an agent or before a judge. */
export function agentTables({ models, records }: Report): ReportTable[] {
  const totals = models.map(({ model, role, calls, tokens, costUsd }) => [
    model,
    role,
    words.formatNumber(calls),
    words.formatNumber(tokens),
    words.formatUsd(costUsd),
  ]);
  const attempts = records
    .filter((record) => record.models.length > 0)
    .map((record) => [
      record.subtask,
      String(record.attempt),
      words.formatNames(record.models.map(({ model }) => model)),
      words.formatNumber(record.modelCalls),
      words.formatNumber(record.toolCalls),
      words.formatNumber(failedCalls(record)),
      words.formatNumber(record.tokens),
      words.formatUsd(record.costUsd),
    ]);
  const head = ['Subtask', 'Attempt#', 'Models', 'Model calls#', 'Tool calls#', 'Of these failed#', 'Tokens#', 'Cost#'];
  const failures = records.flatMap(({ subtask, attempt, toolFailures = [] }) =>
    toolFailures.map(({ tool, calls, last }) => [subtask, String(attempt), tool, words.formatNumber(calls), last]),
  );
  return [
    table('Models', ['Model', 'Role', 'Calls#', 'Tokens#', 'Cost#'], totals),
    table('Attempts that used models', head, attempts),
    table('Tool calls that failed', ['Subtask', 'Attempt#', 'Tool', 'Calls#', 'The last one said'], failures),
  ];
}

const failedCalls = ({ toolFailures = [] }: AttemptView): number =>
  toolFailures.reduce((sum, { calls }) => sum + calls, 0);
