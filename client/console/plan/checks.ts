import type { PlannedSubtask } from '../api/wire.ts';

type Check = NonNullable<PlannedSubtask['verify']>[number];

/** A check as one line: its name, else its command. */
export const nameOfCheck = (check: Check): string => (typeof check === 'string' ? check : check.name);

/** Reads edited lines: the name of a check stays that check, whatever its script holds. */
export const readChecks = (lines: readonly string[], before: readonly Check[] = []): Check[] =>
  lines.map((line) => before.find((check) => nameOfCheck(check) === line) ?? line);

/** Puts the names back to the commands of a plan as the task holds it. */
export const namedChecks = ({ verify = [], checkNames = [] }: PlannedSubtask): string[] =>
  verify.map((check) => nameOfCheck(checkNames.find(({ run }) => run === check) ?? check));
