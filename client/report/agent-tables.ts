import type { Report } from '../../domain/report/report.ts';
import { table, type ReportTable } from './table.ts';
import * as words from './words.ts';

/** What models did: in all, by role, and in each attempt of an agent or before a judge. */
export function agentTables({ models, records }: Report): ReportTable[] {
  const totals = models.map(({ model, role, calls, tokens, costUsd }) => [
    model,
    role,
    words.sayNumber(calls),
    words.sayNumber(tokens),
    words.sayUsd(costUsd),
  ]);
  const attempts = records
    .filter((record) => record.models.length > 0)
    .map((record) => [
      record.subtask,
      String(record.attempt),
      words.sayNames(record.models.map(({ model }) => model)),
      words.sayNumber(record.modelCalls),
      words.sayNumber(record.toolCalls),
      words.sayNumber(record.tokens),
      words.sayUsd(record.costUsd),
    ]);
  const head = ['Subtask', 'Attempt#', 'Models', 'Model calls#', 'Tool calls#', 'Tokens#', 'Cost#'];
  return [
    table('Models', ['Model', 'Role', 'Calls#', 'Tokens#', 'Cost#'], totals),
    table('Attempts that used models', head, attempts),
  ];
}
