import { budgetKeyOf, raisedLimit } from '../task/budget.ts';
import { needsInstruction, valueText } from '../decisions/decision.ts';
import type { Answer, Decision } from '../model/decision.ts';
import { sayDuration } from '../text/duration.ts';
import type { ErrorCode } from '../error-codes.ts';
import { HeddleError } from '../heddle-error.ts';
import { limits } from '../limits.ts';
import { planLimits } from '../source/limits.ts';
import type { TaskState } from '../task/state.ts';
import { clip, oneLine, sayList } from '../text/text.ts';

/** A message as it came from outside: nothing about it is known. */
type Unknown = Record<string, unknown>;

function refuse(code: ErrorCode, message: string, hint?: string): HeddleError {
  return new HeddleError({ code, message, ...(hint === undefined ? {} : { hint }) });
}

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fields(value: unknown, message: string, allowed: readonly string[]): Unknown {
  if (!isObject(value))
    throw refuse('MESSAGE_INVALID', `${message} takes one JSON object`, `Fields: ${allowed.join(', ')}.`);
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined)
    throw refuse(
      'MESSAGE_INVALID',
      `${clip(oneLine(unknown), planLimits.quoted)} is not a field of ${message}`,
      `Fields: ${allowed.join(', ')}.`,
    );
  return value;
}

function optionalText(source: Unknown, key: string, most: number): string | undefined {
  const value = source[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw refuse('MESSAGE_INVALID', `${key} must be text`);
  if (value.length > most) throw refuse('MESSAGE_INVALID', `${key} is longer than ${most} characters`);
  return value;
}

function requiredText(source: Unknown, key: string, most: number): string {
  const value = optionalText(source, key, most);
  if (value === undefined || value.trim() === '') throw refuse('MESSAGE_INVALID', `${key} is missing`);
  return value;
}

const withDefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

/** Reads an answer and checks it against the open decisions. Throws a HeddleError with the code of the contract. */
export function checkAnswer(state: TaskState, payload: unknown): Answer {
  const source = fields(payload, 'decide', ['decisionId', 'option', 'instruction', 'value', 'scope', 'by']);
  const scope = optionalText(source, 'scope', 20);
  if (scope !== undefined && scope !== 'once' && scope !== 'signature') {
    throw refuse('MESSAGE_INVALID', 'scope is `once` or `signature`');
  }
  const answer: Answer = withDefined({
    decisionId: requiredText(source, 'decisionId', 200),
    option: requiredText(source, 'option', 100),
    instruction: optionalText(source, 'instruction', limits.instruction),
    value: source['value'],
    scope,
    by: optionalText(source, 'by', 200),
  }) as Answer;
  if (JSON.stringify(answer.value ?? null).length > limits.instruction) {
    throw refuse('MESSAGE_INVALID', `value is larger than ${limits.instruction} characters`);
  }
  const decision = openDecisionOf(state, answer.decisionId);
  checkOption(decision, answer);
  checkRaise(state, decision, answer);
  return answer;
}

function openDecisionOf(state: TaskState, id: string): Decision {
  const open = state.decisions.find((decision) => decision.id === id);
  if (open !== undefined) return open;
  const answered = Object.hasOwn(state.answered, id) ? state.answered[id] : undefined;
  if (answered !== undefined) {
    const who = answered.answer.by ?? 'somebody';
    throw refuse(
      'DECISION_ALREADY_ANSWERED',
      `${id} was already answered by ${who} with ${answered.answer.option} at ${answered.at}`,
    );
  }
  if (state.ended !== null) throw refuse('TASK_ENDED', `the task has already ended as ${state.ended.state}`);
  const ids = state.decisions.map((decision) => decision.id);
  throw refuse(
    'DECISION_NOT_FOUND',
    `there is no decision ${id}`,
    ids.length === 0 ? 'No decision is open.' : `Open: ${sayList(ids)}.`,
  );
}

function checkOption(decision: Decision, answer: Answer): void {
  if (!decision.options.some((option) => option.id === answer.option)) {
    const ids = decision.options.map((option) => option.id).join(', ');
    throw refuse('DECISION_UNKNOWN_OPTION', `${answer.option} is not an option of ${decision.id}`, `Options: ${ids}.`);
  }
  const said = `${answer.instruction ?? ''}${valueText(answer)}`;
  if (needsInstruction.has(answer.option) && said.trim() === '') {
    throw refuse('DECISION_NEEDS_INSTRUCTION', `${answer.option} needs an instruction`, 'Say what to do differently.');
  }
}

/** A limit that is no higher would only ask the same question again. */
function checkRaise(state: TaskState, decision: Decision, answer: Answer): void {
  if (decision.kind !== 'budget' || answer.option !== 'raise') return;
  const key = budgetKeyOf(decision);
  const old = state.budget[key] ?? 0;
  if (raisedLimit(key, old, answer.value) !== undefined) return;
  throw refuse(
    'MESSAGE_INVALID',
    `value must be a limit above the present one of ${key === 'wallClock' ? sayDuration(old) : old}`,
    key === 'wallClock' ? 'Give milliseconds or a duration such as `2h`.' : 'Give a number.',
  );
}

export interface Steering {
  text: string;
  subtask?: string;
  by?: string;
}

export function checkSteering(state: TaskState, payload: unknown): Steering {
  const source = fields(payload, 'steer', ['text', 'subtask', 'by']);
  if (state.ended !== null) throw refuse('TASK_ENDED', `the task has already ended as ${state.ended.state}`);
  const subtask = optionalText(source, 'subtask', 200);
  if (subtask !== undefined && state.task !== null && !Object.hasOwn(state.subtasks, subtask)) {
    throw refuse(
      'SUBTASK_NOT_FOUND',
      `there is no subtask ${subtask}`,
      `Subtasks: ${sayList(state.task.subtasks.map(({ id }) => id))}.`,
    );
  }
  return withDefined({
    text: requiredText(source, 'text', limits.steering),
    subtask,
    by: optionalText(source, 'by', 200),
  }) as Steering;
}

export function checkPause(payload: unknown): { reason?: string } {
  const source = fields(payload ?? {}, 'pause', ['reason', 'by']);
  return withDefined({ reason: optionalText(source, 'reason', 500) }) as { reason?: string };
}

export function checkResume(payload: unknown): void {
  fields(payload ?? {}, 'resume', ['by']);
}
