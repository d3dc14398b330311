import { boundArguments } from './options/bound-arguments.ts';
import { buildGuidance, buildOptions } from './options/decision-kinds.ts';
import { formatAction, formatNeed } from './options/format-action.ts';
import { commandIn, isArgumentList } from './options/value-form.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Decided, GateAsk, GatedAction, ProgramPermit } from '../types/agent.ts';
import type { AskedCheck, CheckAnswer } from '../types/basic/gate.ts';
import type { DecisionAnswer, GateApproval } from '../types/decision.ts';
import { listLeftBehind } from '../schedule/schedule.ts';
import { freeDecisionId } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { clip, oneLine } from '../text/text.ts';
import { resolveDeadline } from './ask-question.ts';

/** May this be done? The attempt stands still until somebody says so. */
export function gateApproval(state: TaskState, subtask: string, asks: GateAsk, now: number): GateApproval {
  const { call } = asks;
  const action = buildGatedAction(asks);
  return {
    id: freeDecisionId(state, subtask),
    kind: 'approval',
    subtask,
    signature: asks.signature,
    action,
    call,
    problem: clip(
      `${formatNeed(subtask, action)} It would run: ${oneLine(formatAction(action))}`,
      limits.asked.problem,
    ),
    tried: [],
    // The program stands in a plan that a person wrote. A call is a model's idea.
    recommendation: call === null ? 'approve' : adviceOn(asks),
    options:
      call === null
        ? buildOptions('gated-program', {
            subtask,
            ...listLeftBehind(state, subtask),
          })
        : buildOptions('gated-call', { subtask }),
    openedAt: new Date(now).toISOString(),
    ...resolveDeadline(state, now),
  };
}

/** The sources of a check, as sentences. */
const checkSources = {
  model: 'A model planned this check.',
  project: "This check is the project's own test.",
  goal: 'The task names this check for its goal.',
} as const;

/** May this check the results of a subtask? It does not start before somebody says so. */
export function checkApproval(state: TaskState, subtask: string, request: AskedCheck, now: number): GateApproval {
  const { command, signature, hash, danger, source = 'model' } = request;
  const why = `${checkSources[source]} ${request.why}`;
  const about = {
    kind: 'gate',
    call: null,
    tool: 'shell',
    arguments: { command },
    why,
    hash,
    danger,
    signature,
  } as const;
  const options = buildOptions('gated-check', { subtask });
  return { ...gateApproval(state, subtask, about, now), check: true, recommendation: adviceOn(request), options };
}

/** An action that can never be allowed for good is not advised, and neither is code that nobody can read from the outside. */
const adviceOn = ({ danger, signature }: Pick<AskedCheck, 'danger' | 'signature'>): 'approve' | 'reject' =>
  signature === null || danger === 'code' ? 'reject' : 'approve';

/** The answer as it applies to the check. Its value was looked at when the answer was taken. */
export function buildCheckAnswer({ action: { hash } }: GateApproval, { option, value }: DecisionAnswer): CheckAnswer {
  const command = commandIn(value);
  if (option === 'edit' && command !== undefined) return { hash, option, command };
  return { hash, option: option === 'approve' ? 'approve' : 'reject' };
}

/** It stays in the state until it is answered: bounded there, whatever bounded it before. */
function buildGatedAction({ tool, arguments: given, why, hash, danger, cut, said, sandboxed }: GateAsk): GatedAction {
  const bounded = boundArguments(given, limits.asked.arguments);
  return {
    ...{ tool, why: clip(oneLine(why), limits.asked.why), hash, danger, ...bounded },
    ...(cut === undefined ? {} : { cut }),
    ...(said === undefined ? {} : { said: clip(said, limits.asked.said) }),
    ...(sandboxed === undefined ? {} : { sandboxed }),
  };
}

/** The reply to the conversation about its call. */
export function buildGateReply(decision: GateApproval & { call: string }, answer: DecisionAnswer): Decided {
  const { call, action } = decision;
  const about = {
    kind: 'decided',
    call,
    hash: action.hash,
    ...(answer.by === undefined ? {} : { by: answer.by }),
  } as const;
  switch (answer.option) {
    case 'approve':
      return { ...about, option: 'approve' };
    case 'edit':
      return { ...about, option: 'edit', value: answer.value };
    default:
      return { ...about, option: 'reject', reason: buildGuidance(decision, answer) };
  }
}

/** The permission that the answer gives the program of a subtask. Its value was checked when the answer was taken. */
export function buildPermit({ action }: GateApproval, { option, value }: DecisionAnswer): ProgramPermit {
  return option === 'edit' && isArgumentList(value) ? { run: value } : { hash: action.hash };
}
