import type { CommandExecutor } from './command.ts';

export interface Invocation {
  /** The tier, from 1. */
  tier: number;
  thinking: boolean;
  /** The file of the prompt, when it is passed as a file. */
  promptFile?: string;
  /** The file that the program writes its own result to, if it can. */
  resultFile?: string;
  /** The program's own conversation to continue. */
  session?: string;
}

type CommandArguments = Pick<CommandExecutor, 'run' | 'models' | 'thinking' | 'resume'>;

/** Builds the program and its arguments for one attempt. The tier chooses the model; thinking and a conversation add arguments. */
export function buildArguments(
  executor: CommandArguments,
  { tier, thinking, session, ...files }: Invocation,
): string[] {
  const { run, models } = executor;
  const placed = placeArguments(
    placeArguments(run, '{thinking}', executor.thinking, thinking),
    '{resume}',
    executor.resume,
    session !== undefined,
  );
  const meanings = { model: models?.[Math.min(tier, models.length) - 1], session, ...files };
  return placed.map((word) => fillWord(word, meanings));
}

function placeArguments(run: string[], marker: string, given: string[] | undefined, isUsed: boolean): string[] {
  // An executor without such arguments may use this word for itself.
  if (given === undefined) return run;
  const added = isUsed ? given : [];
  if (!run.includes(marker)) return [...run, ...added];
  return run.flatMap((word) => (word === marker ? added : [word]));
}

function fillWord(word: string, meanings: Readonly<Record<string, string | undefined>>): string {
  let filled = word;
  for (const [name, value] of Object.entries(meanings))
    if (value !== undefined) filled = filled.replaceAll(`{${name}}`, () => value);
  return filled;
}
