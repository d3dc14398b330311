import { abortTask, runsSubtask, skipBranch, skipSubtask, type DecisionAbout, type KindRule } from './option-rule.ts';

/** Options about a call that a model is about to make. After every answer its attempt continues in the same conversation. */
export const gatedCall: KindRule<DecisionAbout['gated-call']> = {
  options: {
    approve: {
      label: 'Let it run',
      consequence: ({ subtask }) => `${subtask} does exactly this, once, and continues.`,
      reversible: false,
      effect: 'wake-attempt',
      affects: runsSubtask,
    },
    edit: {
      label: 'Run it with other arguments',
      consequence: ({ subtask }) =>
        `Runs it once with the arguments that you give as the value. ${subtask} is told what you changed, and continues.`,
      reversible: false,
      effect: 'wake-attempt',
      affects: runsSubtask,
      needsValue: {
        form: 'object',
        description: 'all the new arguments as one JSON object',
        example: '{"command":"..."}',
      },
    },
    reject: {
      label: 'Do not run it',
      consequence: ({ subtask }) =>
        `${subtask} is told that you rejected it, with your reason, and continues without it.`,
      reversible: true,
      effect: 'wake-attempt',
      affects: runsSubtask,
    },
  },
  // Nobody approves by saying nothing.
  atDeadline: {
    proceed: null,
    deny: { option: 'reject', effect: 'wake-attempt' },
    skip: { option: 'skip', effect: 'skip' },
  },
};

/** A verify command that a model planned. What a person writes in its place is theirs. */
export const gatedCheck: KindRule<DecisionAbout['gated-check']> = {
  options: {
    approve: {
      label: 'Let it check the result',
      consequence: ({ subtask }) => `${subtask} starts, and every result of it is checked with this command.`,
      reversible: false,
      effect: 'decide-check',
      affects: runsSubtask,
    },
    edit: {
      label: 'Check with another command',
      consequence: ({ subtask }) => `${subtask} starts, and is checked with the command that you give as the value.`,
      reversible: false,
      effect: 'decide-check',
      affects: runsSubtask,
      needsValue: { form: 'command', description: 'the new command as one JSON object', example: '{"command":"..."}' },
    },
    reject: {
      label: 'Do not run it',
      consequence: ({ subtask }) => `${subtask} starts, and its results are checked without this command.`,
      reversible: false,
      effect: 'decide-check',
      affects: runsSubtask,
    },
  },
  atDeadline: {
    proceed: null,
    deny: { option: 'reject', effect: 'decide-check' },
    skip: { option: 'skip', effect: 'skip' },
  },
};

/** A program of the plan, before its first start. */
export const gatedProgram: KindRule<DecisionAbout['gated-program']> = {
  options: {
    approve: {
      label: 'Start it',
      consequence: ({ subtask }) => `${subtask} runs it as the plan says, in this and every later attempt.`,
      reversible: false,
      effect: 'permit-program',
      affects: runsSubtask,
    },
    edit: {
      label: 'Start it with other arguments',
      consequence: ({ subtask }) =>
        `${subtask} runs the list that you give as the value instead, in this and every later attempt.`,
      reversible: false,
      effect: 'permit-program',
      affects: runsSubtask,
      needsValue: {
        form: 'words',
        description: 'the program and its arguments as a JSON list of texts',
        example: '["make","clean"]',
      },
    },
    skip: skipSubtask,
    'skip-branch': skipBranch,
    abort: abortTask,
  },
  atDeadline: {
    proceed: null,
    // There is no conversation that could go on without it.
    deny: { option: 'reject', effect: 'refuse-program' },
    skip: { option: 'skip', effect: 'skip' },
  },
};
