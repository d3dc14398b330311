import type { CommandExecutor } from './command.ts';

export interface Invocation {
  /** From 1. */
  tier: number;
  thinking: boolean;
  /** Where the prompt is, when it comes in a file. */
  promptFile?: string;
}

/** The program and its arguments for one attempt: the tier chooses the model, thinking adds what the executor says. */
export function argumentsFor(
  executor: Pick<CommandExecutor, 'run' | 'models' | 'thinking'>,
  { tier, thinking, promptFile }: Invocation,
): string[] {
  const { models } = executor;
  const model = models?.[Math.min(tier, models.length) - 1];
  const added = thinking ? (executor.thinking ?? []) : [];
  return placeThinking(executor, added)
    .map((word) => (model === undefined ? word : word.replaceAll('{model}', () => model)))
    .map((word) => (promptFile === undefined ? word : word.replaceAll('{promptFile}', () => promptFile)));
}

function placeThinking({ run, thinking }: Pick<CommandExecutor, 'run' | 'thinking'>, added: string[]): string[] {
  // A program of somebody who names no such arguments may have this word for itself.
  if (thinking === undefined) return run;
  if (!run.includes('{thinking}')) return [...run, ...added];
  return run.flatMap((word) => (word === '{thinking}' ? added : [word]));
}
