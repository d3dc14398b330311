import { limits } from '../limits/domain-limits.ts';
import type { GateRuling } from '../types/basic/gate.ts';
import { formatPath, quote, type PlanPath, type PlanProblem } from '../input/problem.ts';
import { formatChoice } from '../input/values.ts';
import { isPlainObject } from './plain-object.ts';

/** What a model may say of a subtask. All else is for people: who does the work, what it is given, how it is tried again. */
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

/** `goal` is often repeated, and not used. */
const replyKeys: readonly string[] = ['subtasks', 'goal'];
const replanKeys: readonly string[] = ['reason', 'superseded', ...replyKeys];

const agentKeys: readonly string[] = ['kind', 'tools'];

export interface ReplyRules {
  /** Executors that a model may name. */
  executors: readonly string[];
  /** What the gate says of a verify command. */
  judge: (command: string) => GateRuling;
  /** Of a new plan: ids of the one before. */
  known?: ReadonlySet<unknown>;
}

/** Where a model's plan asks for more than a model may. Whether it is a valid plan otherwise is checked like any other. */
export function checkReplyContract(reply: Record<string, unknown>, rules: ReplyRules): PlanProblem[] {
  const subtasks: unknown[] = Array.isArray(reply['subtasks']) ? reply['subtasks'] : [];
  const { known } = rules;
  const isNew = (subtask: unknown): boolean => !isPlainObject(subtask) || known?.has(subtask['id']) !== true;
  const count = subtasks.filter(isNew).length;
  return [
    ...unusable(reply, known === undefined ? replyKeys : replanKeys, []),
    ...(count > limits.planner.subtasks ? [tooMany(count)] : []),
    ...subtasks.flatMap((subtask, index) => (isPlainObject(subtask) ? ofSubtask(subtask, index, rules) : [])),
  ];
}

function ofSubtask(subtask: Record<string, unknown>, index: number, rules: ReplyRules): PlanProblem[] {
  const path = ['subtasks', index];
  const verify: unknown[] = Array.isArray(subtask['verify']) ? subtask['verify'] : [];
  return [
    ...unusable(subtask, subtaskKeys, path),
    ...ofExecutor(subtask['executor'], [...path, 'executor'], rules),
    ...verify.flatMap((command, entry) =>
      typeof command === 'string' ? ofCommand(command, [...path, 'verify', entry], rules) : [],
    ),
  ];
}

const unusable = (value: Record<string, unknown>, allowed: readonly string[], path: PlanPath): PlanProblem[] =>
  Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      code: 'PLAN_UNKNOWN_KEY',
      message: `${quote(key)} is not a key that you may use here.`,
      where: formatPath([...path, key]),
      hint: `Remove it. Keys: ${allowed.join(', ')}.`,
      path: [...path, key],
    }));

function ofExecutor(executor: unknown, path: PlanPath, { executors }: ReplyRules): PlanProblem[] {
  if (executor === undefined) return [];
  if (typeof executor === 'string' && executors.includes(executor)) return [];
  if (isPlainObject(executor) && executor['kind'] === 'agent') return unusable(executor, agentKeys, path);
  return [
    {
      code: 'PLAN_UNKNOWN_EXECUTOR',
      message: 'This executor is not one that you may name.',
      where: formatPath(path),
      hint: `Remove it, or write ${formatChoice(executors)}.`,
      path,
    },
  ];
}

/** What nobody could allow for good is no check of a result: a model is told so. What can be is asked about before its subtask starts. */
function ofCommand(command: string, path: PlanPath, { judge }: ReplyRules): PlanProblem[] {
  const verdict = judge(command);
  if (verdict.kind === 'allow' || (verdict.kind === 'ask' && verdict.signature !== null)) return [];
  return [
    {
      code: 'PLAN_NOT_SUPPORTED',
      message: `The verify command ${quote(command)} may not run: ${verdict.why}`,
      where: formatPath(path),
      hint: 'Write a command that only looks at the result, or remove it.',
      path,
    },
  ];
}

const tooMany = (count: number): PlanProblem => ({
  code: 'PLAN_WRONG_TYPE',
  message: `The plan has ${count} new subtasks; at most ${limits.planner.subtasks} are taken.`,
  where: 'subtasks',
  hint: 'Join those that belong together.',
  path: ['subtasks'],
});
