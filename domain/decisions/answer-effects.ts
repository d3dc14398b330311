import { guidanceOf } from './options/decision-kinds.ts';
import type { Effect } from './options/option-rule.ts';
import { rejectedByPerson } from '../failure/classify.ts';
import type { Resume } from '../types/agent.ts';
import type { Answer, Decision } from '../types/decision.ts';
import type { WantedPlan } from '../types/events.ts';
import { raisedLimit } from '../schedule/budget-limits.ts';
import { independentOf, openBranch } from '../schedule/schedule.ts';
import { hasEnded, rowOf, rowsOf, subtaskOf } from '../task/state.ts';
import { usedNow } from '../schedule/budget-limits.ts';
import { checkAnswerOf, decidedOf, permitOf } from './ask-gate.ts';
import { resumeOf } from './ask-question.ts';
import type { Course } from '../task/running-task.ts';
import { endBehind } from '../task/end-dependent.ts';

type Run = (course: Course, decision: Decision, answer: Answer) => void;

const who = ({ by }: Answer): string => by ?? 'a person';

/** For options that only questions about a subtask have. */
const ofSubtask =
  (run: (course: Course, subtask: string, answer: Answer, decision: Decision) => void): Run =>
  (course, decision, answer) => {
    if (decision.subtask === null) throw new Error(`${decision.id} is about no subtask`);
    run(course, decision.subtask, answer, decision);
  };

/** What each effect does, by events: one function for each, and none without. */
export const effects: Record<Effect, Run> = {
  'run-again': ofSubtask((course, subtask, answer, decision) => {
    course.record({ type: 'subtask.again', subtask, guidance: guidanceOf(decision, answer) });
  }),
  'accept-result': ofSubtask((course, subtask, { by }) => {
    const verdict = subtaskOf(course.state, subtask).verdict ?? 'pass';
    course.record({ type: 'subtask.completed', subtask, verdict, ...(by === undefined ? {} : { by }) });
  }),
  'reject-result': ofSubtask((course, subtask, answer, decision) => {
    const guidance = guidanceOf(decision, answer);
    course.record({ type: 'attempt.rejected', subtask, failure: rejectedByPerson(guidance) });
    // A task that finishes with what is done starts nothing more, and what was not accepted is not done.
    if (course.state.finishing) return failSubtask(course, subtask, 'a person did not accept the result');
    course.record({ type: 'subtask.again', subtask, guidance });
  }),
  'fail-result': ofSubtask((course, subtask) => {
    failSubtask(course, subtask, 'nobody accepted the result before the deadline');
  }),
  skip: ofSubtask((course, subtask, answer) => {
    course.record({ type: 'subtask.skipped', subtask, reason: `${who(answer)} chose to continue without it` });
  }),
  'skip-branch': ofSubtask((course, subtask, answer) => {
    const reason = `${who(answer)} chose to skip the branch of ${subtask}`;
    const branch = openBranch(course.state, subtask);
    course.record({ type: 'subtask.skipped', subtask, reason });
    for (const id of branch) endBehind(course, id, reason, { type: 'subtask.skipped' });
  }),
  replan: (course, decision, answer) => {
    const reason = [decision.problem, guidanceOf(decision, answer)].filter((text) => text !== '').join('\n');
    const { subtask } = decision;
    const wanted: WantedPlan =
      subtask === null
        ? { reason, trigger: 'stall', subtasks: [] }
        : { reason, trigger: 'option', subtasks: [subtask] };
    course.record({ type: 'replan.asked', wanted });
  },
  stop: (course, _decision, answer) => course.stop(`${who(answer)} stopped it`),
  'start-plan': () => undefined, // nothing holds the plan back any more
  'edit-plan': () => undefined, // the new plan follows
  'refuse-plan': (course, _decision, answer) => {
    const wish = answer.instruction?.trim() ?? '';
    if (course.state.setting?.planning === undefined || wish === '')
      return course.stop(`${who(answer)} did not approve the plan`);
    course.record({ type: 'plan.rejected', wish });
  },
  'raise-budget': (course, decision, answer) => {
    const { state, now } = course;
    if (decision.kind !== 'budget') throw new Error(`${decision.id} is about no budget`);
    const key = decision.budget;
    const at = { limit: state.budget[key] ?? 0, used: usedNow(state, now)[key] ?? 0 };
    const limit = raisedLimit(key, at, answer.value);
    if (limit === undefined) throw new Error(`the answer to ${decision.id} raises nothing`);
    course.record({ type: 'budget.raised', key, limit });
  },
  'wake-attempt': ofSubtask((course, subtask, answer, decision) => {
    course.record({ type: 'attempt.woken', subtask, resume: wakingOf(decision, answer) });
  }),
  'permit-program': ofSubtask((course, subtask, answer, decision) => {
    if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(`${decision.id} is no gate`);
    course.record({ type: 'program.permitted', subtask, permit: permitOf(decision, answer) });
  }),
  'decide-check': ofSubtask((course, subtask, answer, decision) => {
    if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(`${decision.id} is no gate`);
    course.record({ type: 'check.decided', subtask, check: checkAnswerOf(decision, answer) });
  }),
  'refuse-program': ofSubtask((course, subtask) => {
    failSubtask(course, subtask, 'nobody approved its program before the deadline');
  }),
  finish: (course, _decision, answer) => {
    const { state } = course;
    course.record({ type: 'task.finishing' });
    const reason = `${who(answer)} chose to finish with what is done`;
    for (const { id } of rowsOf(state)) {
      const { status } = subtaskOf(state, id);
      if (!hasEnded(status) && status !== 'running') course.record({ type: 'subtask.skipped', subtask: id, reason });
    }
  },
};

function wakingOf(decision: Decision, answer: Answer): Resume {
  if (decision.kind === 'question') return resumeOf(decision, answer);
  if (decision.kind !== 'approval' || decision.action === undefined || decision.call === null)
    throw new Error(`${decision.id} is no question of an attempt`);
  return decidedOf({ ...decision, call: decision.call }, answer);
}

/** A failed subtask blocks what is behind it, and the synthesis that waits for everything but other syntheses. */
export function failSubtask(course: Course, failed: string, reason: string): void {
  const { state } = course;
  course.record({ type: 'subtask.failed', subtask: failed, reason });
  const syntheses = rowOf(state, failed).synthesis
    ? []
    : rowsOf(state).filter(({ synthesis, id }) => synthesis && !hasEnded(subtaskOf(state, id).status));
  const behind = new Set([...openBranch(state, failed), ...syntheses.map(({ id }) => id)]);
  const independent = independentOf(state, failed);
  for (const subtask of behind) {
    const why = `it needs ${failed}, which failed.`;
    endBehind(course, subtask, why, { type: 'subtask.blocked', independent });
  }
}
