import type { CliResult } from '../model/completion-contract.ts';
import { lastLines } from '../text/text.ts';
import { errorOf } from './fields.ts';
import type { OutputName } from '../executors/output-names.ts';
import { clis } from './readers.ts';

/** Lines of stderr that explain an exit code of the program's own. */
const explaining = 3;

/** What was read, together with what the program's exit code means where it did not say that it is done. */
export function settle(
  name: OutputName,
  read: CliResult,
  { exitCode, stderrTail }: { exitCode: number | null; stderrTail: string },
): CliResult {
  const type = clis[name].exits?.[exitCode ?? 0];
  if (read.end === 'done' || type === undefined || read.error !== undefined) return read;
  return { ...read, end: 'failed', error: errorOf(lastLines(stderrTail, explaining), { type }) };
}

/** Whether it says that the conversation it was to go on in does not exist (any more). */
export function lostSession(
  name: OutputName,
  { error, text }: Pick<CliResult, 'error' | 'text'>,
  stderrTail: string,
): boolean {
  const gone = clis[name].sessionGone;
  return gone !== undefined && [error?.message ?? '', text, stderrTail].some((said) => gone.test(said));
}
