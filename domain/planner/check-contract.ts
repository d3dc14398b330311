import { limits } from '../limits/domain-limits.ts';
import type { GateRuling } from '../types/basic/gate.ts';
import { formatPath, quoteName, type PlanPath, type PlanProblem } from '../input/problem.ts';
import { formatChoice } from '../input/values.ts';
import { isPlainObject } from './plain-object.ts';
import { readCommands } from '../checks/named-checks.ts';

/** Keys of a subtask that a model may set. All others are for people: the executor, its environment, its retries. */
const subtaskKeys = [
  'id',
  'description',
  'dependsOn',
  'tier',
  'executor',
  'deliverables',
  'verify',
  'verification',
  'criteria',
  'requiredSections',
  'rules',
  'diff',
  'synthesis',
] as const;

/** `goal` is accepted but not used, because models often repeat it. */
const replyKeys: readonly string[] = ['subtasks', 'goal'];
const replanKeys: readonly string[] = ['reason', 'superseded', ...replyKeys];

const agentKeys: readonly string[] = ['kind', 'tools'];

export interface ReplyRules {
  /** Executors that a model may name. */
  executors: readonly string[];
  /** The gate's ruling on a verify command. */
  assess: (command: string) => GateRuling;
  /** For a new plan: ids of the plan before. */
  knownIds?: ReadonlySet<unknown>;
}

/** Checks that a model's plan asks for no more than a model may. Its validity as a plan is checked elsewhere. */
export function checkReplyContract(reply: Record<string, unknown>, rules: ReplyRules): PlanProblem[] {
  const subtasks: unknown[] = Array.isArray(reply['subtasks']) ? reply['subtasks'] : [];
  const { knownIds } = rules;
  const isNew = (subtask: unknown): boolean => !isPlainObject(subtask) || knownIds?.has(subtask['id']) !== true;
  const count = subtasks.filter(isNew).length;
  return [
    ...listUnusableKeys(reply, knownIds === undefined ? replyKeys : replanKeys, []),
    ...(count > limits.planner.subtasks ? [buildTooManyProblem(count)] : []),
    ...subtasks.flatMap((subtask, index) => (isPlainObject(subtask) ? checkSubtask(subtask, index, rules) : [])),
  ];
}

function checkSubtask(subtask: Record<string, unknown>, index: number, rules: ReplyRules): PlanProblem[] {
  const path = ['subtasks', index];
  return [
    ...listUnusableKeys(subtask, subtaskKeys, path),
    ...checkExecutor(subtask['executor'], [...path, 'executor'], rules),
    ...readCommands(subtask['verify']).flatMap(({ command, path: entry }) =>
      checkCommand(command, [...path, 'verify', ...entry], rules),
    ),
  ];
}

const listUnusableKeys = (value: Record<string, unknown>, allowed: readonly string[], path: PlanPath): PlanProblem[] =>
  Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      code: 'PLAN_UNKNOWN_KEY',
      message: `${quoteName(key)} is not a key that you may use here.`,
      where: formatPath([...path, key]),
      hint: `Remove it. Keys: ${allowed.join(', ')}.`,
      path: [...path, key],
    }));

function checkExecutor(executor: unknown, path: PlanPath, { executors }: ReplyRules): PlanProblem[] {
  if (executor === undefined) return [];
  if (typeof executor === 'string' && executors.includes(executor)) return [];
  if (isPlainObject(executor) && executor['kind'] === 'agent') return listUnusableKeys(executor, agentKeys, path);
  return [
    {
      code: 'PLAN_UNKNOWN_EXECUTOR',
      message: 'You may not name this executor.',
      where: formatPath(path),
      hint: `Remove it, or write ${formatChoice(executors)}.`,
      path,
    },
  ];
}

/** A command that can never be allowed cannot check a result, so the model must replace it. A command that needs approval is asked about later. */
function checkCommand(command: string, path: PlanPath, { assess }: ReplyRules): PlanProblem[] {
  const verdict = assess(command);
  if (verdict.kind === 'allow' || (verdict.kind === 'ask' && verdict.signature !== null)) return [];
  return [
    {
      code: 'PLAN_NOT_SUPPORTED',
      message: `The verify command ${quoteName(command)} may not run: ${verdict.why}`,
      where: formatPath(path),
      hint: 'Write a command that only reads the result, or remove it.',
      path,
    },
  ];
}

const buildTooManyProblem = (count: number): PlanProblem => ({
  code: 'PLAN_WRONG_TYPE',
  message: `The plan has ${count} new subtasks; at most ${limits.planner.subtasks} are allowed.`,
  where: 'subtasks',
  hint: 'Merge subtasks that belong together.',
  path: ['subtasks'],
});
