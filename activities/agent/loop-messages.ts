import type { LogEntryOf, Remark } from '../../domain/conversation/entry.ts';
import type { SteeringNote } from '../../domain/types/agent.ts';

/** Remarks of the loop to a model besides the results of its calls. They are short, since they stay in the conversation. */
export const remarks = {
  calls: {
    kind: 'format',
    text: 'No call of your last reply could be run. Correct them as their results say, with complete JSON arguments.',
  },
  report: {
    kind: 'report',
    text: 'Your last reply has no call. If the work is done, or cannot be done, call `finish` now; else continue with the next call.',
  },
  repeats: {
    kind: 'repeats',
    text: 'You have made exactly these calls before, with these results. Making them once more ends the attempt: use what you know, or try a different approach.',
  },
  unusable: (finish: LogEntryOf<'turn'>['finish']): Remark => ({
    kind: 'format',
    text:
      finish === 'length'
        ? 'Your last reply was cut off at its limit. Reply more briefly, in smaller steps, by calls of tools.'
        : 'Your last reply was empty. Reply by calls of tools, and end with `finish`.',
  }),
  /** A person's words, which outrank ours. */
  steering: ({ id, text }: SteeringNote): Remark => ({
    kind: 'steering',
    id,
    text: `A person has a new instruction for you, which applies from now on: ${text}`,
  }),
  todos: (text: string): Remark => ({ kind: 'todos', text }),
} satisfies Record<string, Remark | ((...given: never[]) => Remark)>;
