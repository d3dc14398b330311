import type { TaskSettings } from '../types/task-settings.ts';
import type { TaskEvent, ShownEvent } from '../types/events.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { Strategy } from '../types/ladder.ts';
import type { PlanChanges } from '../types/plan.ts';
import type { SuspendReason } from '../types/outcome.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { formatDuration } from '../text/duration.ts';
import { clip, oneLine, formatCount, formatList } from '../text/text.ts';
import { formatBudget } from './format-budget.ts';

/** A sentence longer than this is no sentence; programs and people may give any text. */
const mostText = 600;

/** An event as it is shown: one plain sentence and what it is about; null for events that are not shown. */
export function describeEvent(event: TaskEvent): ShownEvent | null {
  const shown = describeUnclipped(event);
  return shown === null ? null : { ...shown, text: clip(oneLine(shown.text), mostText) };
}

function describeUnclipped(event: TaskEvent): ShownEvent | null {
  switch (event.type) {
    case 'plan.rejected':
    case 'settings.ready':
    case 'replan.asked':
    case 'replan.started':
    case 'stale.end-planned':
    case 'planner.used':
    case 'plan.normalised':
    case 'attempt.used':
    case 'attempt.judging':
    case 'attempt.diagnosing':
    case 'attempt.diagnosed':
    case 'attempt.cancelled':
    case 'attempt.rejected':
    case 'attempt.answered':
    case 'program.permitted':
    case 'check.decided':
    case 'subtask.retried':
    case 'budget.raised':
    case 'task.finishing':
    case 'decision.phrasing':
      return null; // told by the answer or the end that they belong to
    case 'decision.opened':
    case 'decision.answered':
    case 'decision.phrased':
      return describeDecision(event);
    case 'replan.failed':
    case 'plan.replaced':
    case 'outcome.stale':
      return describeReplan(event);
    case 'budget.warning':
    case 'budget.exhausted': {
      const { type, key, used, limit } = event;
      const much = type === 'budget.warning' ? 'Most of' : used < limit ? 'Too much of' : 'All of';
      return { type, text: `${much} the budget for ${formatBudget(key)} is used.`, key, used, limit };
    }
    case 'task.started':
    case 'plan.ready':
    case 'plan.degraded':
    case 'task.steered':
    case 'task.paused':
    case 'task.resumed':
    case 'task.stalled':
    case 'task.cancelling':
    case 'task.cancel-forced':
    case 'task.ended':
    case 'message.refused':
      return describeTask(event);
    case 'attempt.started':
    case 'attempt.suspended':
    case 'attempt.resumed':
    case 'attempt.rerun':
    case 'attempt.passed':
    case 'attempt.failed':
    case 'tool.refused':
    case 'repository.changed':
    case 'verdict':
      return describeAttempt(event);
    case 'subtask.started':
    case 'subtask.completed':
    case 'subtask.requeued':
    case 'subtask.failed':
    case 'subtask.skipped':
    case 'subtask.blocked':
      return describeSubtask(event);
  }
}

type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

function describeDecision(
  event: EventOf<'decision.opened' | 'decision.answered' | 'decision.phrased'>,
): ShownEvent | null {
  if (event.type === 'decision.opened') {
    const { type, decision } = event;
    const about = decision.subtask === null ? {} : { subtask: decision.subtask };
    return { type, text: decision.problem, ...about, decision };
  }
  if (event.type === 'decision.phrased') {
    const { type, subtask, decisionId, problem } = event;
    return problem === null ? null : { type, text: problem, subtask, decisionId, problem };
  }
  const { type, answer, source } = event;
  return {
    type,
    text: `${answer.by ?? 'Someone'} answered ${answer.decisionId}: ${answer.option}.`,
    decisionId: answer.decisionId,
    option: answer.option,
    by: answer.by ?? null,
    source,
    ...(event.score === undefined ? {} : { score: event.score }),
    ...(answer.instruction === undefined ? {} : { instruction: answer.instruction }),
    ...(answer.value === undefined ? {} : { value: answer.value }),
  };
}

function describeReplan(event: EventOf<'replan.failed' | 'plan.replaced' | 'outcome.stale'>): ShownEvent {
  switch (event.type) {
    case 'replan.failed': {
      const { type, reason } = event;
      return { type, reason, text: `There is no new plan, and the current one stays: ${reason}` };
    }
    case 'plan.replaced': {
      const { type, plan, changes } = event;
      const planVersion = plan.version;
      return { type, planVersion, ...changes, text: `Version ${planVersion} of the plan: ${formatChanges(changes)}` };
    }
    case 'outcome.stale': {
      const { type, subtask, attempt, version } = event;
      const text = `Attempt ${attempt} of ${subtask} was started by version ${version} of the plan; its result is dropped, its cost counts.`;
      return { type, subtask, attempt, planVersion: version, text };
    }
  }
}

function formatChanges({ reason, added, retargeted, superseded }: PlanChanges): string {
  const parts = [
    ...(added.length === 0 ? [] : [`new: ${formatList(added)}`]),
    ...(retargeted.length === 0 ? [] : [`changed: ${formatList(retargeted)}`]),
    ...(superseded.length === 0 ? [] : [`superseded: ${formatList(superseded.map(({ id }) => id))}`]),
  ];
  return `${parts.join('; ')}. ${clip(oneLine(reason), 300)}`;
}

const ends: Record<EventOf<'task.ended'>['state'], string> = {
  completed: 'is completed',
  failed: 'failed',
  cancelled: 'was cancelled',
};

/** How the project tests itself, where that was looked for. */
function formatTest({ planning }: TaskSettings): string {
  const test = planning?.projectTest;
  return test === undefined ? '' : ` The project tests itself with \`${test.command}\` (${test.file}).`;
}

function describeTask(
  event: EventOf<'task.started' | 'plan.ready' | 'plan.degraded' | 'message.refused'> | OfTask,
): ShownEvent {
  const { type } = event;
  switch (type) {
    case 'task.started':
      return { type, text: `Started: ${clip(oneLine(event.goal), 120)}` };
    case 'plan.ready': {
      const { plan, settings } = event;
      return {
        type,
        text: `The plan has ${formatCount(plan.rows.length, 'subtask')}; at most ${settings.maxParallelSubtasks} run at once.${formatTest(settings)}`,
        subtasks: plan.rows.length,
        planVersion: plan.version,
      };
    }
    case 'plan.degraded': {
      const { reasons, checked, test } = event;
      const how = test === undefined ? '' : `, checked with \`${test.command}\` (${test.file})`;
      return {
        type,
        text: `No plan could be made, so the goal is one subtask${checked ? how : ' without checks'}: ${reasons.map(unended).join('; ')}`,
        reasons,
        checked,
      };
    }
    case 'task.steered':
      return {
        type,
        text: `New instruction${event.subtask === undefined ? '' : ` for ${event.subtask}`}: ${clip(oneLine(event.text), 160)}`,
        instruction: event.text,
        ...(event.subtask === undefined ? {} : { subtask: event.subtask }),
      };
    case 'task.paused':
      return { type, text: `Paused: ${event.reason}`, reason: event.reason, by: event.by };
    case 'task.resumed':
      return { type, text: 'Resumed.' };
    case 'task.stalled':
      return { type, text: `Nothing can continue: ${event.reasons.join('; ')}`, reasons: event.reasons };
    case 'task.cancelling':
      return { type, text: `Stopping: ${event.reason}`, reason: event.reason };
    case 'task.cancel-forced': {
      const { running, waitedMs } = event;
      const text = `The task ends without ${formatList(running, 5)}, which did not stop within ${formatDuration(waitedMs)}.`;
      return { type, text, running };
    }
    case 'message.refused':
      return { type, text: `A ${event.message} signal was refused: ${event.reason}`, message: event.message };
    case 'task.ended': {
      const code = event.code === undefined ? {} : { code: event.code };
      return { type, text: `The task ${ends[event.state]}: ${event.reason}`, state: event.state, ...code };
    }
  }
}

type OfTask = EventOf<
  | 'task.steered'
  | 'task.paused'
  | 'task.resumed'
  | 'task.stalled'
  | 'task.cancelling'
  | 'task.cancel-forced'
  | 'task.ended'
>;

type OfAttempt = EventOf<
  | 'attempt.started'
  | 'attempt.suspended'
  | 'attempt.resumed'
  | 'attempt.rerun'
  | 'attempt.passed'
  | 'attempt.failed'
  | 'tool.refused'
  | 'repository.changed'
  | 'verdict'
>;

/** Nobody took anything out of a repository that was not found. */
const unsearched = (subtask: string): string =>
  `The workspace has more folders than are searched for repositories that ${subtask} makes or changes. Look for new ones before you use git there.`;

function formatRepository({ subtask, path, state, removed }: EventOf<'repository.changed'>): string {
  if (state === 'unsearched') return unsearched(subtask);
  const did = state === 'created' ? 'made the repository' : 'changed the settings of the repository';
  const taken = removed.length === 0 ? '' : ` Removed from it, since git would run it for you: ${removed.join(', ')}.`;
  return `${subtask} ${did} ${path}.${taken}`;
}

function describeAttempt(event: OfAttempt): ShownEvent {
  const { type, subtask } = event;
  switch (type) {
    case 'attempt.started': {
      const { attempt, rung, tier, thinking, strategy } = event.record;
      return { type, subtask, attempt, rung, tier, thinking, strategy, text: formatStart(subtask, event.record) };
    }
    case 'attempt.suspended': {
      const { attempt, why, waitMs, resumeFrom } = event;
      return { type, subtask, attempt, why, phase: resumeFrom.phase, waitMs, text: formatSuspended(event) };
    }
    case 'attempt.resumed': {
      const { attempt, why } = event;
      return { type, subtask, attempt, why, text: `Attempt ${attempt} of ${subtask} is resumed after ${pauses[why]}.` };
    }
    case 'attempt.rerun': {
      const { attempt, reruns } = event;
      const text = `A crash interrupted attempt ${attempt} of ${subtask}; the same attempt was run again with the same key.`;
      return { type, subtask, attempt, reason: 'crash', reruns, text };
    }
    case 'tool.refused': {
      const { attempt, tool, why } = event;
      return { type, subtask, attempt, tool, why, text: `A call of ${tool} by ${subtask} was refused: ${why}` };
    }
    case 'repository.changed': {
      const { attempt, path, state, removed } = event;
      return { type, subtask, attempt, path, state, removed, text: formatRepository(event) };
    }
    case 'verdict': {
      const { attempt, outcome, judgement } = event;
      const about = { subtask, attempt, outcome, ...(judgement === undefined ? {} : { judgement }) };
      return { type, ...about, text: formatVerdict(event) };
    }
    case 'attempt.passed': {
      const { attempt, record } = event;
      const { verdict } = record;
      const text = `Attempt ${attempt} of ${subtask} ${verdict === 'unchecked' ? 'ended unchecked' : 'passed'}.`;
      return { type, subtask, attempt, verdict, text };
    }
    case 'attempt.failed': {
      const { type: what, category, signature, code } = event.failure;
      const text = `${subtask}: ${joined(event.failure.summary, formatNext(event))}`;
      const failure = { type: what, category, signature };
      return { type, subtask, attempt: event.attempt, failure, text, ...(code === undefined ? {} : { code }) };
    }
  }
}

function formatVerdict({ subtask, outcome, issues, judgement }: EventOf<'verdict'>): string {
  if (outcome === 'inconclusive')
    return `The judge of ${subtask} claims something that no file shows; only the judge is asked again: ${issues}`;
  if (outcome === 'unchecked') return `Nothing checked the result of ${subtask}${issues === '' ? '.' : `: ${issues}`}`;
  const who = judgement === undefined ? 'checks' : 'checks and judges';
  return `The ${who} of ${subtask} ${issues === '' ? 'passed.' : `found: ${issues}`}`;
}

/** Names of the causes that an attempt waited for. */
const pauses: Record<SuspendReason, string> = {
  approval: 'an approval',
  question: 'an answer',
  'unknown-effect': 'an answer',
  budget: 'it ran out of budget',
  wait: 'a wait',
  environment: 'a wait for the environment',
  pause: 'a pause',
};

function formatSuspended({ subtask, attempt, reason, waitMs, resumeFrom }: EventOf<'attempt.suspended'>): string {
  const what =
    { execute: '', verify: 'the check of ', judge: 'the judgement of ' }[resumeFrom.phase] + `attempt ${attempt}`;
  const when = waitMs === null ? 'waits' : `continues in ${formatDuration(waitMs)}`;
  return `${subtask}: ${joined(reason, `${what} ${when}`)}`;
}

type OfSubtask = EventOf<
  | 'subtask.started'
  | 'subtask.completed'
  | 'subtask.requeued'
  | 'subtask.failed'
  | 'subtask.skipped'
  | 'subtask.blocked'
>;

function describeSubtask(event: OfSubtask): ShownEvent {
  const { type, subtask } = event;
  switch (type) {
    case 'subtask.started':
      return { type, subtask, text: `${subtask} starts.` };
    case 'subtask.completed': {
      const { verdict, reused } = event;
      if (reused !== undefined)
        return {
          type,
          subtask,
          verdict,
          reused: reused.task,
          text: `${subtask} is reused from the task ${reused.task}.`,
        };
      return { type, subtask, verdict, text: `${subtask} is completed${verdict === 'pass' ? '' : ` (${verdict})`}.` };
    }
    case 'subtask.requeued': {
      const { task, reason } = event;
      return { type, subtask, task, reason, text: `${subtask} of the task ${task} is not reused: ${reason}` };
    }
    case 'subtask.failed':
      return { type, subtask, reason: event.reason, text: `${subtask} failed: ${event.reason}` };
    case 'subtask.skipped':
      return { type, subtask, reason: event.reason, text: `${subtask} is skipped: ${event.reason}` };
    case 'subtask.blocked': {
      const { reason, independent } = event;
      return {
        type,
        subtask,
        reason,
        independent,
        text: `${subtask} is blocked: ${sentence(reason)} ${formatIndependent(independent)}`,
      };
    }
  }
}

function formatStart(subtask: string, record: AttemptRecord): string {
  if (record.attempt === 1) return `Attempt 1 of ${subtask} (tier ${record.tier}).`;
  return `Attempt ${record.attempt} of ${subtask} with what was learned (rung ${record.rung}, tier ${record.tier}${record.thinking ? ', thinking' : ''}).`;
}

/** Three dots end no sentence: they are a part of what was said (`go test ./...`). */
const unended = (text: string): string => oneLine(text).replace(/(?:(?<!\.)\.|;)+$/, '');

/** Programs and people end what they say as they like. */
const sentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);

/** Joins a person's words and what follows from them into one sentence; a text that ends in a question mark has ended its own. */
function joined(reason: Failure['summary'], follows: string): string {
  const what = unended(reason);
  if (!/[?!]$/.test(what)) return `${what}; ${follows}.`;
  return `${what} ${follows.charAt(0).toUpperCase()}${follows.slice(1)}.`;
}

const ways: Record<Strategy, string> = {
  first: 'with this feedback',
  feedback: 'with this feedback',
  guidance: 'with this feedback',
  stronger: 'with a stronger model',
  strongest: 'with the strongest model and more thinking',
  remembered: 'in the way that fixed it before',
};

/** Strategies that use a stronger model where one does the work. */
const stronger: ReadonlySet<Strategy> = new Set(['stronger', 'strongest']);

function formatNext({ next, waitMs, nextTier }: EventOf<'attempt.failed'>): string {
  const soon = waitMs > 0 ? ` in ${formatDuration(waitMs)}` : '';
  switch (next.kind) {
    case 'climb': {
      const way = nextTier !== undefined && stronger.has(next.strategy) ? `at tier ${nextTier}` : ways[next.strategy];
      return `trying again ${way}${soon}`;
    }
    case 'person':
      return 'a person is needed';
    case 'fail':
      return 'no rung is left';
    case 'stopped':
      return 'the task is stopping';
  }
}

const formatIndependent = (count: number): string =>
  count === 0 ? 'Nothing else can continue.' : `${formatCount(count, 'other subtask')} can continue.`;
