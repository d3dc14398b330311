import type { Subtask } from '../types/subtask.ts';

/** The contract's own words, in the form that a program prints. */
const example = '{"status": "success", "notes": "what you did", "deliverablesTouched": ["path/of/a/file"]}';

/**
 * How a program that reads its prompt reports. An activity of the user's own returns its contract as a value and is not told. The example
 * stands inside a sentence: a program that prints its prompt back must not report by accident.
 */
export function reportRequest({ executor, diff }: Pick<Subtask, 'executor' | 'diff'>): string[] {
  if (executor.kind !== 'command') return [];
  return [
    [
      `To report how it ended, print one JSON object alone on the very last line of your output${diff ? ', after the diff' : ''}, such as ${example} (without a fence around it).`,
      'Its `status` is `success`, `partial` (something is still missing), `failed`, or `blocked` (impossible as it stands). `notes` say in a few sentences what was done, or why not.',
      '`deliverablesTouched` lists the files that you wrote. Add `costUsd` and `tokens` if you know what it cost. Anything but `success` is believed, so report honestly.',
    ].join('\n'),
  ];
}
