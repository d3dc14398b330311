import type { CliResult } from '../types/basic/completion-contract.ts';
import { lastLines } from '../text/text.ts';
import { buildCliError } from './fields.ts';
import type { OutputName } from '../executors/output-names.ts';
import { clis } from './readers.ts';

/** Lines of stderr that explain an exit code of the program's own. */
const explaining = 3;
/** The same of one that is the status of a service: its error is printed over several lines. */
const explainingStatus = 12;

/** What was read, together with what the program's exit code means where it did not say that it is done. */
export function settle(name: OutputName, read: CliResult, exit: Exit): CliResult {
  const settled = settleExit(name, read, exit);
  const { keyEnv } = clis[name];
  if (settled.error === undefined || keyEnv === undefined) return settled;
  return { ...settled, error: { ...settled.error, credentials: { program: name, keyEnv } } };
}

interface Exit {
  exitCode: number | null;
  stderrTail: string;
}

function settleExit(name: OutputName, read: CliResult, { exitCode, stderrTail }: Exit): CliResult {
  if (read.end === 'done') return read;
  const { exits, statusOf } = clis[name];
  const type = exits?.[exitCode ?? 0];
  const status = statusOf?.(exitCode ?? 0);
  const { error } = read;
  if (error !== undefined)
    return status === undefined || error.status !== undefined ? read : { ...read, error: { ...error, status } };
  if (type !== undefined)
    return { ...read, end: 'failed', error: buildCliError(lastLines(stderrTail, explaining), { type }) };
  if (status === undefined) return read;
  return { ...read, end: 'failed', error: buildCliError(lastLines(stderrTail, explainingStatus), { status }) };
}

/** Whether it says that the conversation it was to go on in does not exist (any more). */
export function lostSession(
  name: OutputName,
  { error, text }: Pick<CliResult, 'error' | 'text'>,
  stderrTail: string,
): boolean {
  const gone = clis[name].sessionGone;
  return gone !== undefined && [error?.message ?? '', text, stderrTail].some((output) => gone.test(output));
}
