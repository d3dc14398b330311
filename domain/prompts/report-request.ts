import type { Subtask } from '../types/subtask.ts';

/** An example of the contract in the form that a program prints. */
const example = '{"status": "success", "notes": "what you did", "deliverablesTouched": ["path/of/a/file"]}';

/**
 * Explains to a program that reads its prompt how to report. An activity returns its contract as a value, so it gets no such text. The
 * example is part of a sentence, so that a program that prints its prompt does not report by accident.
 */
export function reportRequest({ executor, diff }: Pick<Subtask, 'executor' | 'diff'>): string[] {
  if (executor.kind !== 'command') return [];
  return [
    [
      `To report your result, print one JSON object alone on the very last line of your output${diff ? ', after the diff' : ''}, such as ${example} (without a fence around it).`,
      'Its `status` is `success`, `partial` (something is still missing), `failed`, or `blocked` (impossible as it stands). `notes` say in a few sentences what was done, or why not.',
      '`deliverablesTouched` lists the files that you wrote. Add `costUsd` and `tokens` if you know what it cost. Report honestly: any status but `success` is taken at face value.',
    ].join('\n'),
  ];
}
