import { valueAt } from '../../../domain/input/problem.ts';
import { formatEstimate } from '../../../domain/planner/format-estimate.ts';
import { readCommands } from '../../../domain/checks/named-checks.ts';
import { formatCount, oneLine } from '../../../domain/text/text.ts';
import type { PlannedView } from '../../../workflows/task/messages.ts';

/** A plan before it runs: each subtask with its executor, its deliverables and its checks, then the estimated cost. */
export function renderPlan({ subtasks, estimate, degraded, executor }: PlannedView): string[] {
  return [
    ...(degraded ? ['No plan could be made: the whole goal is one subtask.', ''] : []),
    ...subtasks.flatMap((subtask) => [...subtaskLines(subtask, executor), '']),
    `Estimated cost: ${formatEstimate(estimate)}.`,
  ];
}

function subtaskLines(subtask: unknown, common: unknown): string[] {
  const after = textsAt(subtask, 'dependsOn');
  const deliverables = textsAt(subtask, 'deliverables');
  return [
    `${textAt(subtask, 'id')}${after.length === 0 ? '' : `  (after ${after.join(', ')})`}`,
    `  ${textAt(subtask, 'description')}`,
    `  executor      ${formatExecutor(valueAt(subtask, ['executor']) ?? common)}`,
    `  deliverables  ${deliverables.length === 0 ? 'none' : deliverables.join(', ')}`,
    ...titled('checks', listChecks(subtask)),
  ];
}

/** An executor as a plan names it: a word, or an object with its kind. */
function formatExecutor(executor: unknown): string {
  if (executor === undefined) return 'the default of the config';
  if (typeof executor === 'string') return executor;
  const kind = textAt(executor, 'kind');
  const more = [...textsAt(executor, 'run'), textAt(executor, 'name'), textAt(executor, 'model')];
  return [kind, ...more].filter((text) => text !== '').join(' ');
}

function listChecks(subtask: unknown): string[] {
  const rules: unknown = valueAt(subtask, ['rules']);
  const sections = textsAt(subtask, 'requiredSections');
  return [
    ...checksAt(subtask),
    ...(sections.length === 0 ? [] : [`sections: ${sections.join(', ')}`]),
    ...(Array.isArray(rules) && rules.length > 0 ? [formatCount(rules.length, 'rule')] : []),
    ...(valueAt(subtask, ['diff']) === true ? ['the diff applies'] : []),
    ...textsAt(subtask, 'criteria').map((criterion) => `judged: ${criterion}`),
  ];
}

/** Commands, those with a name behind it. */
function checksAt(subtask: unknown): string[] {
  const checks: unknown = valueAt(subtask, ['verify']);
  return readCommands(checks).map(({ command, path: [index = 0] }) => {
    const name = textAt(valueAt(checks, [index]), 'name');
    return name === '' ? command : `${name}: ${oneLine(command)}`;
  });
}

function titled(title: string, texts: readonly string[]): string[] {
  const [first = 'none of its own', ...rest] = texts;
  return [`  ${title.padEnd(12)}  ${first}`, ...rest.map((text) => `${' '.repeat(16)}${text}`)];
}

function textAt(value: unknown, key: string): string {
  const text = valueAt(value, [key]);
  return typeof text === 'string' ? text : '';
}

function textsAt(value: unknown, key: string): string[] {
  const texts: unknown = valueAt(value, [key]);
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
}
