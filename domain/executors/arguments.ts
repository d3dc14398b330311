import type { CommandExecutor } from './command.ts';

export interface Invocation {
  /** From 1. */
  tier: number;
  thinking: boolean;
  /** Where the prompt is, when it comes in a file. */
  promptFile?: string;
  /** Where a program that is told so writes its own result. */
  resultFile?: string;
  /** The program's own conversation that goes on. */
  session?: string;
}

type CommandArguments = Pick<CommandExecutor, 'run' | 'models' | 'thinking' | 'resume'>;

/** The program and its arguments for one attempt: the tier chooses the model, thinking and a conversation add what the executor says. */
export function argumentsFor(executor: CommandArguments, { tier, thinking, session, ...files }: Invocation): string[] {
  const { run, models } = executor;
  const placed = place(
    place(run, '{thinking}', executor.thinking, thinking),
    '{resume}',
    executor.resume,
    session !== undefined,
  );
  const meanings = { model: models?.[Math.min(tier, models.length) - 1], session, ...files };
  return placed.map((word) => fill(word, meanings));
}

function place(run: string[], marker: string, given: string[] | undefined, wanted: boolean): string[] {
  // A program of somebody who names no such arguments may have this word for itself.
  if (given === undefined) return run;
  const added = wanted ? given : [];
  if (!run.includes(marker)) return [...run, ...added];
  return run.flatMap((word) => (word === marker ? added : [word]));
}

function fill(word: string, meanings: Readonly<Record<string, string | undefined>>): string {
  let filled = word;
  for (const [name, value] of Object.entries(meanings))
    if (value !== undefined) filled = filled.replaceAll(`{${name}}`, () => value);
  return filled;
}
