import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';

/** An activity whose first attempt fails, in words that no other subtask's failure has: the most that a task can learn and carry. */
export function failOnce({ subtaskId, attempt }: { subtaskId: string; attempt: number }): CompletionContract {
  if (attempt > 1) return { status: 'success', notes: 'done' };
  const word = inLetters(Number(/\d+$/.exec(subtaskId)?.[0] ?? 0));
  return {
    status: 'failed',
    notes: `the part ${word} was not found. ${'It was looked for in every place. '.repeat(9)}`,
  };
}

/** Numbers are ignored where failures are compared; words are not. */
function inLetters(value: number): string {
  return String(value).replace(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));
}
