import type { CliResult } from '../../domain/types/basic/completion-contract.ts';

/** `try again at 7:02 AM`, `try again at Nov 18th, 2026 7:02 AM`: on the clock of this machine, since the program runs here. */
const resetPattern =
  /\btry again at (?:(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?, (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)\b/i;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** It is said without its seconds: the minute has to be over. */
const minute = 60_000;
const day = 24 * 60 * minute;

/** When a limit is lifted that a program tells in prose alone, as codex does; undefined where it says nothing. */
export function resetTimeIn(message: string, now: number): number | undefined {
  const match = resetPattern.exec(message);
  if (match === null) return undefined;
  const [, month, date, year, hour, minutes, half] = match;
  const at = new Date(now);
  if (month !== undefined) at.setFullYear(Number(year), months.indexOf(month.toLowerCase()), Number(date));
  at.setHours((Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0), Number(minutes), 0, 0);
  const time = at.getTime() + minute;
  // Without a date it is the next time that the clock shows it.
  return month === undefined && time <= now ? time + day : time;
}

/** The limit of a plan with the time at which it is lifted, wherever the program said it. */
export function withResetTime(read: CliResult, now: number): CliResult {
  const { error } = read;
  if (error === undefined || error.resetsAt !== undefined) return read;
  const resetsAt = resetTimeIn(error.message, now);
  return resetsAt === undefined ? read : { ...read, error: { ...error, resetsAt } };
}
