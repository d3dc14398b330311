import { isOptionId, optionRule, valueText } from '../decisions/options/decision-kinds.ts';
import { fitsForm } from '../decisions/options/value-form.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import type { DecisionAnswer, Decision } from '../types/decision.ts';
import { getOwn } from '../util/own-property.ts';
import { mayReplan, raisedLimit } from '../schedule/budget-limits.ts';
import { rowsOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { usedNow } from '../schedule/budget-limits.ts';
import { formatDuration } from '../text/duration.ts';
import { clip, oneLine, formatCount, formatList } from '../text/text.ts';

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
      `${clip(oneLine(unknown), limits.quoted)} is not a field of ${message}`,
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

/** An answer that fits an open question. */
export interface CheckedAnswer {
  decision: Decision;
  answer: DecisionAnswer;
}

/** Reads an answer and checks it against the open decisions. Throws a HeddleError with the code of the contract. */
export function checkAnswer(state: TaskState, payload: unknown, now: number): CheckedAnswer {
  const source = fields(payload, 'decide', ['decisionId', 'option', 'instruction', 'value', 'scope', 'by']);
  const scope = optionalText(source, 'scope', 20);
  if (scope !== undefined && scope !== 'once' && scope !== 'signature') {
    throw refuse('MESSAGE_INVALID', 'scope is `once` or `signature`');
  }
  const decisionId = requiredText(source, 'decisionId', 200);
  const option = requiredText(source, 'option', 100);
  const instruction = optionalText(source, 'instruction', limits.instruction);
  const by = optionalText(source, 'by', 200);
  const { value } = source;
  const decision = requireOpenDecision(state, decisionId);
  if (!isOptionId(option) || !decision.options.some(({ id }) => id === option)) {
    const ids = decision.options.map(({ id }) => id).join(', ');
    throw refuse('DECISION_UNKNOWN_OPTION', `${option} is not an option of ${decision.id}`, `Options: ${ids}.`);
  }
  const answer: DecisionAnswer = {
    decisionId,
    option,
    ...(instruction === undefined ? {} : { instruction }),
    ...(value === undefined ? {} : { value }),
    ...(scope === undefined ? {} : { scope }),
    ...(by === undefined ? {} : { by }),
  };
  validateInstruction(decision, answer);
  checkValue(decision, answer);
  checkScope(decision, answer);
  checkRaise(state, decision, answer, now);
  return { decision, answer };
}

function requireOpenDecision(state: TaskState, id: string): Decision {
  const open = state.decisions.open.find((decision) => decision.id === id);
  if (open !== undefined) return open;
  const answered = getOwn(state.decisions.answered, id);
  if (answered !== undefined) {
    const who = answered.by ?? 'someone';
    throw refuse(
      'DECISION_ALREADY_ANSWERED',
      `${id} was already answered by ${who} with ${answered.option} at ${answered.at}`,
    );
  }
  if (state.control.ended !== null)
    throw refuse('TASK_ENDED', `the task has already ended as ${state.control.ended.state}`);
  const ids = state.decisions.open.map((decision) => decision.id);
  throw refuse(
    'DECISION_NOT_FOUND',
    `there is no decision ${id}`,
    ids.length === 0 ? 'No decision is open.' : `Open: ${formatList(ids)}.`,
  );
}

function validateInstruction(decision: Decision, answer: DecisionAnswer): void {
  const text = `${answer.instruction ?? ''}${valueText(answer)}`;
  const { requiredText } = optionRule(decision, answer.option);
  if (requiredText === undefined || text.trim() !== '') return;
  throw refuse(
    'DECISION_NEEDS_INSTRUCTION',
    `${answer.option} needs an instruction`,
    `Say ${requiredText}: \`instruction\`, on the command line \`--instruction TEXT\`.`,
  );
}

/** Arguments that a person writes may be as long as those that are shown. */
function checkValue(decision: Decision, { option, value }: DecisionAnswer): void {
  const { needsValue } = optionRule(decision, option);
  const most = needsValue === undefined ? limits.instruction : (needsValue.most ?? limits.asked.arguments);
  if (JSON.stringify(value ?? null).length > most)
    throw refuse('MESSAGE_INVALID', `value is larger than ${most} characters`);
  if (needsValue === undefined || fitsForm(needsValue.form, value)) return;
  throw refuse(
    'DECISION_NEEDS_VALUE',
    `${option} needs a value: ${needsValue.description}`,
    `Give it as \`value\`, on the command line \`--value '${needsValue.example}'\`.`,
  );
}

/** A dangerous action is asked about each time, and only a yes can hold for good. */
function checkScope(decision: Decision, { option, scope }: DecisionAnswer): void {
  if (scope !== 'signature' || decision.kind !== 'approval' || decision.action === undefined) return;
  if (decision.signature === null)
    throw refuse(
      'DECISION_ONCE_ONLY',
      `${decision.id} is about something that is asked each time`,
      'Answer without a scope: the answer applies to this action alone.',
    );
  if (option !== 'approve')
    throw refuse(
      'DECISION_ONCE_ONLY',
      `${option} applies to this action alone`,
      'Only `approve` takes the scope `signature`.',
    );
}

/** A limit that is no higher than what is used would only ask the same question again. */
function checkRaise(state: TaskState, decision: Decision, answer: DecisionAnswer, now: number): void {
  if (decision.kind !== 'budget' || answer.option !== 'raise') return;
  const key = decision.budget;
  const at = { limit: state.budget.limits[key] ?? 0, used: usedNow(state, now)[key] ?? 0 };
  if (raisedLimit(key, at, answer.value) !== undefined) return;
  const most = Math.max(at.limit, at.used);
  throw refuse(
    'MESSAGE_INVALID',
    `value must be a limit above ${key === 'wallClock' ? formatDuration(most) : most}, the larger of the present limit and what is used`,
    key === 'wallClock' ? 'Give milliseconds or a duration such as `2h`.' : 'Give a number.',
  );
}

export interface SteeringMessage {
  text: string;
  subtask?: string;
  /** Not only heard by what runs: the plan is changed. */
  replan?: true;
  by?: string;
}

export function checkSteering(state: TaskState, payload: unknown): SteeringMessage {
  const source = fields(payload, 'steer', ['text', 'subtask', 'replan', 'by']);
  if (state.control.ended !== null)
    throw refuse('TASK_ENDED', `the task has already ended as ${state.control.ended.state}`);
  const subtask = optionalText(source, 'subtask', 200);
  if (subtask !== undefined && state.plan.current !== null && !Object.hasOwn(state.subtasks, subtask)) {
    throw refuse(
      'SUBTASK_NOT_FOUND',
      `there is no subtask ${subtask}`,
      `Subtasks: ${formatList(rowsOf(state).map(({ id }) => id))}.`,
    );
  }
  const text = requiredText(source, 'text', limits.steering);
  const by = optionalText(source, 'by', 200);
  const { replan = false } = source;
  if (typeof replan !== 'boolean') throw refuse('MESSAGE_INVALID', 'replan is `true` or `false`');
  if (replan) checkPlanner(state);
  checkRoom(state, subtask);
  return {
    text,
    ...(subtask === undefined ? {} : { subtask }),
    ...(replan ? { replan } : {}),
    ...(by === undefined ? {} : { by }),
  };
}

/** Before there is a plan nobody knows: then it is asked for, and told if there is none. */
function checkPlanner(state: TaskState): void {
  if (state.control.cancelling !== null || state.control.finishing)
    throw refuse('REPLAN_NOT_POSSIBLE', 'the task is ending and takes no new plan');
  if (state.plan.settings === null || mayReplan(state)) return;
  if (state.plan.settings.planner === undefined)
    throw refuse(
      'REPLAN_NOT_POSSIBLE',
      'no model makes plans for this task',
      'Give a model the role `planner` in heddle.toml before the task starts, or steer without `replan`.',
    );
  throw refuse(
    'REPLAN_NOT_POSSIBLE',
    `the task has had ${formatCount(state.budget.used.replans ?? 0, 'new plan')}, which is the most it may have`,
    'Steer without `replan`, or answer its questions.',
  );
}

/** Refused rather than dropped: an instruction that was taken holds to the end of the task. */
function checkRoom({ control: { steering } }: TaskState, subtask: string | undefined): void {
  const alike = steering.filter((given) => given.subtask === (subtask ?? null));
  if (alike.length < limits.steeringTexts && steering.length < limits.steeringTotal) return;
  const whose = subtask === undefined ? 'the whole task' : subtask;
  throw refuse(
    'STEERING_FULL',
    alike.length < limits.steeringTexts
      ? `the task has ${steering.length} instructions already`
      : `${whose} has ${alike.length} instructions already`,
    'All of them apply until the end of the task. Say more in the answer to a question, or start a new task.',
  );
}

export function checkPause(payload: unknown): { reason?: string; by?: string } {
  const source = fields(payload ?? {}, 'pause', ['reason', 'by']);
  const reason = optionalText(source, 'reason', 500);
  const by = optionalText(source, 'by', 200);
  return { ...(reason === undefined ? {} : { reason }), ...(by === undefined ? {} : { by }) };
}

export function checkResume(payload: unknown): { by?: string } {
  const by = optionalText(fields(payload ?? {}, 'resume', ['by']), 'by', 200);
  return by === undefined ? {} : { by };
}
