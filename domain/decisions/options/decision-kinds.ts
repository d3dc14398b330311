import { limits } from '../../limits/domain-limits.ts';
import type { DecisionAnswer, Decision, DecisionOption, OptionCost, OptionId } from '../../types/decision.ts';
import { formatDuration } from '../../text/duration.ts';
import { formatCount } from '../../text/text.ts';
import { gatedCall, gatedCheck, gatedProgram } from './gate-options.ts';
import { questionOptions } from './question-options.ts';
import {
  abortTask,
  makeNewPlan,
  runsSubtask,
  skipBranch,
  skipSubtask,
  type DecisionAbout,
  type Effect,
  type EscalationAbout,
  type KindRule,
  type OptionRule,
  type Topic,
} from './option-rule.ts';

const again = ({ attempts, costOfOne: { usd, ms } }: EscalationAbout): string => {
  const mean = [
    ...(usd === null ? [] : [`${usd.toFixed(2)} USD`]),
    ...(ms === null || ms < longAttempt ? [] : [formatDuration(ms)]),
  ].join(' and ');
  return `up to ${formatCount(attempts, 'more attempt')}${mean === '' ? '' : `, about ${mean} each`}`;
};

/** The time of shorter ones costs nobody a thought. */
const longAttempt = 60_000;

const costOfAgain = ({ attempts, costOfOne }: EscalationAbout): OptionCost => ({ attempts, ...costOfOne });

/** Every topic of a question: its options, what each needs, says and does, and what a deadline does. */
const topics: { [Each in Topic]: KindRule<DecisionAbout[Each]> } = {
  escalation: {
    options: {
      retry: {
        label: 'Try again',
        consequence: (about) => `Runs ${about.subtask} again with everything learned so far; ${again(about)}.`,
        reversible: true,
        effect: 'run-again',
        cost: costOfAgain,
        affects: runsSubtask,
      },
      fix: {
        label: 'Try again with my instruction',
        consequence: (about) => `Runs ${about.subtask} again with your instruction first; ${again(about)}.`,
        reversible: true,
        effect: 'run-again',
        cost: costOfAgain,
        affects: runsSubtask,
        requiredText: 'what to do differently',
      },
      simpler: {
        label: 'Try a simpler version',
        consequence: ({ subtask }) => `Runs ${subtask} again and asks only for the core of it; details may be missing.`,
        reversible: true,
        effect: 'run-again',
        cost: costOfAgain,
        affects: runsSubtask,
        guidance: (instruction) =>
          `Do a simpler version: only the core of what is asked.${instruction === '' ? '' : `\n${instruction}`}`,
        when: ({ needsCredentials }) => !needsCredentials,
      },
      'provide-credentials': {
        label: 'The credentials are available now',
        consequence: ({ subtask }) => `Runs ${subtask} again. Say where they are now, never the secret itself.`,
        reversible: true,
        effect: 'run-again',
        cost: costOfAgain,
        affects: runsSubtask,
        guidance: (instruction) => (instruction === '' ? '' : `The credentials are available now: ${instruction}`),
        when: ({ needsCredentials }) => needsCredentials,
      },
      skip: skipSubtask,
      'skip-branch': skipBranch,
      replan: makeNewPlan,
      abort: abortTask,
    },
    atDeadline: { proceed: null, deny: null, skip: { option: 'skip', effect: 'skip' } },
  },
  planner: {
    options: {
      retry: {
        label: 'Try again',
        consequence: () => 'The model that plans is asked again.',
        reversible: true,
        effect: 'plan-again',
      },
      'provide-credentials': {
        label: 'The credentials are available now',
        consequence: ({ variable }) =>
          `The model that plans is asked again${variable === undefined ? '' : `, with ${variable} of the shell that answers`}. Never give the secret itself.`,
        reversible: true,
        effect: 'plan-again',
        when: ({ isRefused }) => isRefused,
      },
      skip: {
        label: 'Keep the plan as it is',
        consequence: () =>
          'The task continues with the current plan, and the questions that asked for another open again.',
        reversible: false,
        effect: 'keep-plan',
        when: ({ changes }) => changes,
      },
      abort: abortTask,
    },
    atDeadline: { proceed: null, deny: null, skip: null },
  },
  approval: {
    options: {
      approve: {
        label: 'Accept the result',
        consequence: ({ subtask }) => `${subtask} is completed.`,
        reversible: false,
        effect: 'accept-result',
      },
      edit: {
        label: 'Ask for a change',
        consequence: ({ subtask }) =>
          `Runs ${subtask} again with the change that you give as the value or instruction.`,
        reversible: true,
        effect: 'reject-result',
        affects: runsSubtask,
        requiredText: 'what to do differently',
      },
      reject: {
        label: 'Do not accept it',
        consequence: ({ subtask }) => `Runs ${subtask} again with your reason as feedback.`,
        reversible: true,
        effect: 'reject-result',
        affects: runsSubtask,
        guidance: (instruction) =>
          `The last result was not accepted.${instruction === '' ? '' : ` Reason: ${instruction}`}`,
      },
    },
    atDeadline: {
      proceed: { option: 'approve', effect: 'accept-result' },
      // Nobody said what is wrong with it: another attempt would be a bare retry, and the next deadline would deny that one too.
      deny: { option: 'reject', effect: 'fail-result' },
      skip: { option: 'skip', effect: 'skip' },
    },
  },
  plan: {
    options: {
      approve: {
        label: 'Run the plan',
        consequence: ({ subtasks, estimate }) =>
          `Starts the ${formatCount(subtasks, 'subtask')} of the plan.${estimate === undefined ? '' : ` Estimated cost: ${estimate}.`}`,
        reversible: true,
        effect: 'start-plan',
      },
      edit: {
        label: 'Run another plan instead',
        consequence: () => 'The plan that you give as the value is checked and runs in its place.',
        reversible: true,
        effect: 'edit-plan',
        needsValue: {
          form: 'object',
          description: 'a whole plan as one JSON object',
          example: '{"subtasks":[{"id":"...","description":"..."}]}',
          most: limits.editedPlan,
        },
        when: ({ edits }) => edits === true,
      },
      reject: {
        label: 'Do not run it',
        consequence: ({ plans }) =>
          `The task ends as cancelled; nothing has run.${plans === true ? ' With an instruction it is planned again instead.' : ''}`,
        reversible: false,
        effect: 'refuse-plan',
      },
    },
    atDeadline: {
      proceed: { option: 'approve', effect: 'start-plan' },
      deny: { option: 'reject', effect: 'refuse-plan' },
      skip: null,
    },
  },
  stall: {
    options: {
      replan: makeNewPlan,
      finish: {
        label: 'Finish with what is done',
        consequence: ({ open }) =>
          `${formatCount(open.length, 'subtask')} that cannot start are skipped; the task ends with the rest.`,
        reversible: false,
        effect: 'finish',
        affects: ({ open }) => ({ skips: open }),
      },
      abort: abortTask,
    },
    atDeadline: { proceed: null, deny: null, skip: null },
  },
  budget: {
    options: {
      raise: {
        label: 'Raise the limit',
        consequence: ({ name }) =>
          `The limit on ${name} becomes the value that you give, or twice the larger of the limit and what is used.`,
        reversible: true,
        effect: 'raise-budget',
      },
      finish: {
        label: 'Finish with what is done',
        consequence: () => 'Subtasks that have not started are skipped; the task ends with the rest.',
        reversible: false,
        effect: 'finish',
        affects: ({ open = [] }) => ({ skips: open }),
        when: ({ plans }) => plans !== true,
      },
      stop: {
        label: 'Stop the task',
        consequence: () => 'The task ends as cancelled; what is done is kept.',
        reversible: false,
        effect: 'stop',
      },
    },
    atDeadline: { proceed: null, deny: { option: 'stop', effect: 'stop' }, skip: null },
  },
  question: questionOptions,
  'gated-call': gatedCall,
  'gated-program': gatedProgram,
  'gated-check': gatedCheck,
};

/** The topic of a question. */
function resolveTopic(decision: Decision): Topic {
  if (decision.kind === 'plan') return decision.stalled === true ? 'stall' : 'plan';
  if (decision.kind === 'escalation' && decision.subtask === null) return 'planner';
  if (decision.kind !== 'approval' || decision.action === undefined) return decision.kind;
  if (decision.check === true) return 'gated-check';
  return decision.call === null ? 'gated-program' : 'gated-call';
}

/** The options of a question, in the order of the table. */
export function buildOptions<Each extends Topic>(topic: Each, about: DecisionAbout[Each]): DecisionOption[] {
  const rules = Object.entries(topics[topic].options) as [OptionId, OptionRule<DecisionAbout[Each]>][];
  return rules
    .filter(([, { when }]) => when === undefined || when(about))
    .map(([id, rule]) => ({
      id,
      label: typeof rule.label === 'string' ? rule.label : rule.label(about),
      consequence: rule.consequence(about),
      reversible: rule.reversible,
      ...describeNeeds(rule),
      ...(rule.cost === undefined ? {} : { cost: rule.cost(about) }),
      ...describeScope(rule.affects?.(about)),
    }));
}

function describeNeeds({
  needsValue,
  requiredText,
}: Pick<OptionRule<never>, 'needsValue' | 'requiredText'>): Pick<DecisionOption, 'needs'> {
  if (needsValue !== undefined) {
    const { form, description, example } = needsValue;
    return { needs: { value: { form, say: description, example } } };
  }
  return requiredText === undefined ? {} : { needs: { words: requiredText } };
}

/** A question stays in the state until it is answered, and a plan may have thousands of subtasks. */
function describeScope({ runs = [], skips = [] }: { runs?: readonly string[]; skips?: readonly string[] } = {}): Pick<
  DecisionOption,
  'affects'
> {
  if (runs.length + skips.length === 0) return {};
  const listed = { runs: runs.slice(0, limits.asked.affected), skips: skips.slice(0, limits.asked.affected) };
  const more = runs.length + skips.length - listed.runs.length - listed.skips.length;
  return { affects: { ...listed, ...(more === 0 ? {} : { more }) } };
}

/** The rule of an option of a question. */
export function optionRule(
  decision: Decision,
  option: OptionId,
): Pick<OptionRule<never>, 'effect' | 'requiredText' | 'needsValue'> {
  const rule = topics[resolveTopic(decision)].options[option];
  if (rule === undefined) throw new Error(`${option} is no option of ${decision.id}`);
  return rule;
}

export function atDeadline(decision: Decision): { option: OptionId; effect: Effect } | null {
  const { onTimeout } = decision;
  return onTimeout === 'wait' ? null : topics[resolveTopic(decision)].atDeadline[onTimeout];
}

/** The value of an answer in words, for the next attempt; anything but text as JSON. */
export function valueText(answer: Pick<DecisionAnswer, 'value'>): string {
  const { value } = answer;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The guidance of an answer for the next attempt. */
export function buildGuidance(
  decision: Decision,
  answer: Pick<DecisionAnswer, 'option' | 'instruction' | 'value'>,
): string {
  const instruction = [answer.instruction, valueText(answer)]
    .filter((text) => text !== undefined && text.trim() !== '')
    .join('\n');
  const guidance = topics[resolveTopic(decision)].options[answer.option]?.guidance;
  return guidance === undefined ? instruction : guidance(instruction);
}

const optionIds: ReadonlySet<string> = new Set(Object.values(topics).flatMap(({ options }) => Object.keys(options)));

export const isOptionId = (text: string): text is OptionId => optionIds.has(text);
