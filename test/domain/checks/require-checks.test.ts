/* A subtask of a model's plan has a check, or tools that only read. */
import { describe, expect, test } from 'vitest';
import { requireChecks } from '../../../domain/checks/require-checks.ts';
import { noConfig } from '../../../domain/config/layers.ts';
import { planUnderConfig } from '../../../domain/config/plan-under-config.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';

function problemsOf(subtask: Record<string, unknown>, more: Record<string, unknown> = {}): string[] {
  const raw = { goal: 'g', executor: { kind: 'agent' }, subtasks: [{ id: 'a', ...subtask }], ...more };
  const parsed = parsePlan(raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { subtasks } = planUnderConfig(parsed.plan, raw, noConfig());
  return requireChecks(subtasks, () => ['subtasks', 0]).map(({ message, hint }) => `${message} ${hint}`);
}

describe('a subtask of a model', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a deliverable', { deliverables: ['a.md'] }],
    ['a verify command', { verify: ['test -f a.md'] }],
    ['a verify command that ends otherwise', { verify: ['set -e; npm test; echo done'] }],
    ['one of two verify commands that can fail', { verify: ['true', 'npm test'] }],
    ['a verify command that prints and fails', { verify: ['npm test || { echo no; exit 1; }'] }],
    ['a required section', { requiredSections: ['Changes'] }],
    ['a rule', { rules: [{ pattern: 'TODO' }] }],
    ['a diff', { diff: true }],
    ['criteria that a judge reads', { criteria: ['it is short'], verification: 2 }],
    ['tools that only read', { executor: { kind: 'agent', tools: ['read_file', 'note'] } }],
  ])('is accepted with %s', (_, subtask) => {
    expect(problemsOf(subtask)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['criteria that nobody reads', { criteria: ['it is short'] }],
    ['a judge without criteria', { verification: 2 }],
    ['one tool that writes', { executor: { kind: 'agent', tools: ['read_file', 'shell'] } }],
    ['a program', { executor: { kind: 'command', run: ['true'] } }],
    ['a verify command that always passes', { verify: ['true'] }],
    ['verify commands that only print', { verify: ['echo done', 'printf ok', ':', 'exit 0'] }],
    ['a verify command whose failure is dropped', { verify: ['npm test || true'] }],
    ['a verify command whose end passes', { verify: ['npm test; echo done'] }],
    ['empty lists', { deliverables: [], verify: [], rules: [], requiredSections: [], diff: false }],
  ])('is a problem with %s', (_, subtask) => {
    expect(problemsOf(subtask)).toEqual([expect.stringContaining('Nothing checks the result of `a`. Add ')]);
  });

  test('has criteria that the judges of the whole task read', () => {
    expect(problemsOf({ criteria: ['it is short'] }, { verification: 2 })).toEqual([]);
  });
});
