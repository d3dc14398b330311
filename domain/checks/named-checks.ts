import type { NamedCheck, Subtask } from '../types/subtask.ts';

/** A verify command as a plan has it: the command alone, or with the name that people are told. */
export type PlannedCheck = string | NamedCheck;

export const commandOf = (check: PlannedCheck): string => (typeof check === 'string' ? check : check.run);

/** Each command once, as it was given first. */
export function mergeChecks(...lists: readonly (readonly PlannedCheck[] | undefined)[]): PlannedCheck[] {
  const byCommand = new Map<string, PlannedCheck>();
  for (const check of lists.flatMap((list) => list ?? [])) {
    const command = commandOf(check);
    if (!byCommand.has(command)) byCommand.set(command, check);
  }
  return [...byCommand.values()];
}

/** Splits the checks of a plan into the commands and the names of those that have one. */
export function splitChecks(checks: readonly PlannedCheck[]): Pick<Subtask, 'verify' | 'checkNames'> {
  const checkNames = checks.filter((check) => typeof check !== 'string');
  return { verify: checks.map(commandOf), ...(checkNames.length === 0 ? {} : { checkNames }) };
}

/** Writes the checks of a subtask as a plan has them. */
export const joinChecks = ({ verify, checkNames = [] }: Pick<Subtask, 'verify' | 'checkNames'>): PlannedCheck[] =>
  verify.map((command) => checkNames.find(({ run }) => run === command) ?? command);

/** Reads the commands of a list that nobody checked yet. */
export function readCommands(list: unknown): { command: string; path: (string | number)[] }[] {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((entry, index) => {
    if (typeof entry === 'string') return [{ command: entry, path: [index] }];
    if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'run')) return [];
    const run: unknown = Reflect.get(entry, 'run');
    return typeof run === 'string' ? [{ command: run, path: [index, 'run'] }] : [];
  });
}

/** The name of a command, where the plan gives one. */
export const nameOfCheck = (command: string, checkNames: readonly NamedCheck[] | undefined): string | undefined =>
  checkNames?.find(({ run }) => run === command)?.name;
