import { buildGuidance } from './options/decision-kinds.ts';
import type { Effect } from './options/option-rule.ts';
import { rejectedByPerson } from '../failure/classify.ts';
import type { PersonReply } from '../types/agent.ts';
import type { DecisionAnswer, Decision } from '../types/decision.ts';
import type { PlanRequest } from '../types/events.ts';
import { raisedLimit } from '../schedule/budget-limits.ts';
import { openBranch } from '../schedule/schedule.ts';
import { rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf, passedOf } from '../task/subtask-phase.ts';
import { hasEnded } from '../types/subtask.ts';
import { usedNow } from '../schedule/budget-limits.ts';
import { buildCheckAnswer, buildGateReply, buildPermit } from './ask-gate.ts';
import { buildQuestionReply } from './ask-question.ts';
import type { RunningTask } from '../task/running-task.ts';
import { completePassed } from '../ending/complete-passed.ts';
import { endBehind } from '../ending/end-dependent.ts';
import { failSubtask } from '../ending/fail-subtask.ts';
import { giveUp } from '../ending/give-up.ts';

type Run = (task: RunningTask, decision: Decision, answer: DecisionAnswer) => void;

const who = ({ by }: DecisionAnswer): string => by ?? 'a person';

/** For options that only questions about a subtask have. */
const ofSubtask =
  (run: (task: RunningTask, subtask: string, answer: DecisionAnswer, decision: Decision) => void): Run =>
  (task, decision, answer) => {
    if (decision.subtask === null) throw new Error(`${decision.id} is about no subtask`);
    run(task, decision.subtask, answer, decision);
  };

/** The events of each effect: one function for each, and none without. */
export const effects: Record<Effect, Run> = {
  'run-again': ofSubtask((task, subtask, answer, decision) => {
    task.record({ type: 'subtask.retried', subtask, guidance: buildGuidance(decision, answer) });
  }),
  'accept-result': ofSubtask((task, subtask, { by }) => {
    const verdict = passedOf(subtaskOf(task.state, subtask))?.verdict ?? 'pass';
    completePassed(task, subtask, verdict, by);
  }),
  'reject-result': ofSubtask((task, subtask, answer, decision) => {
    const guidance = buildGuidance(decision, answer);
    task.record({ type: 'attempt.rejected', subtask, failure: rejectedByPerson(guidance) });
    // A task that finishes with what is done starts nothing more, and what was not accepted is not done.
    if (task.state.control.finishing) return failSubtask(task, subtask, 'a person did not accept the result');
    task.record({ type: 'subtask.retried', subtask, guidance });
  }),
  'fail-result': ofSubtask((task, subtask) => {
    failSubtask(task, subtask, 'nobody accepted the result before the deadline');
  }),
  skip: ofSubtask((task, subtask, answer) => {
    giveUp(task, subtask, `${who(answer)} chose to continue without it`, answer.by);
  }),
  'skip-branch': ofSubtask((task, subtask, answer) => {
    const reason = `${who(answer)} chose to skip the branch of ${subtask}`;
    const branch = openBranch(task.state, subtask);
    giveUp(task, subtask, reason, answer.by);
    for (const id of branch) endBehind(task, id, reason, { type: 'subtask.skipped' });
  }),
  replan: (task, decision, answer) => {
    const reason = [decision.problem, buildGuidance(decision, answer)].filter((text) => text !== '').join('\n');
    const { subtask } = decision;
    const request: PlanRequest =
      subtask === null
        ? { reason, trigger: 'stall', subtasks: [] }
        : { reason, trigger: 'option', subtasks: [subtask] };
    task.record({ type: 'replan.asked', request });
  },
  stop: (task, _decision, answer) => task.stop(`${who(answer)} stopped it`),
  'plan-again': () => undefined, // nothing holds the planning back any more
  'keep-plan': (task, _decision, answer) => {
    task.record({ type: 'replan.declined', reason: `${who(answer)} chose to keep the plan` });
  },
  'start-plan': () => undefined, // nothing holds the plan back any more
  'edit-plan': () => undefined, // the new plan follows
  'refuse-plan': (task, _decision, answer) => {
    const feedback = answer.instruction?.trim() ?? '';
    if (task.state.plan.settings?.planning === undefined || feedback === '')
      return task.stop(`${who(answer)} did not approve the plan`);
    task.record({ type: 'plan.rejected', feedback });
  },
  'raise-budget': (task, decision, answer) => {
    const { state, now } = task;
    if (decision.kind !== 'budget') throw new Error(`${decision.id} is about no budget`);
    const key = decision.budget;
    const at = { limit: state.budget.limits[key] ?? 0, used: usedNow(state, now)[key] ?? 0 };
    const limit = raisedLimit(key, at, answer.value);
    if (limit === undefined) throw new Error(`the answer to ${decision.id} raises nothing`);
    task.record({ type: 'budget.raised', key, limit });
  },
  'wake-attempt': ofSubtask((task, subtask, answer, decision) => {
    task.record({ type: 'attempt.answered', subtask, reply: buildPersonReply(decision, answer) });
  }),
  'permit-program': ofSubtask((task, subtask, answer, decision) => {
    if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(`${decision.id} is no gate`);
    task.record({ type: 'program.permitted', subtask, permit: buildPermit(decision, answer) });
  }),
  'decide-check': ofSubtask((task, subtask, answer, decision) => {
    if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(`${decision.id} is no gate`);
    task.record({ type: 'check.decided', subtask, check: buildCheckAnswer(decision, answer) });
  }),
  'refuse-program': ofSubtask((task, subtask) => {
    failSubtask(task, subtask, 'nobody approved its program before the deadline');
  }),
  finish: (task, _decision, answer) => {
    const { state } = task;
    task.record({ type: 'task.finishing', ...(answer.by === undefined ? {} : { by: answer.by }) });
    const reason = `${who(answer)} chose to finish with what is done`;
    for (const { id } of rowsOf(state)) {
      const status = statusOf(subtaskOf(state, id));
      if (!hasEnded(status) && status !== 'running') giveUp(task, id, reason, answer.by);
    }
  },
};

function buildPersonReply(decision: Decision, answer: DecisionAnswer): PersonReply {
  if (decision.kind === 'question') return buildQuestionReply(decision, answer);
  if (decision.kind !== 'approval' || decision.action === undefined || decision.call === null)
    throw new Error(`${decision.id} is no question of an attempt`);
  return buildGateReply({ ...decision, call: decision.call }, answer);
}
