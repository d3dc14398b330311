import type { CliResult } from '../types/basic/completion-contract.ts';
import { lastLines } from '../text/text.ts';
import { buildCliError } from './fields.ts';
import type { OutputName } from '../executors/output-names.ts';
import { clis } from './readers.ts';

/** Lines of stderr that explain an exit code of the program's own. */
const explaining = 3;
/** Lines for an exit code that is the status of a service, whose error takes several lines. */
const explainingStatus = 12;

/** Combines the output that was read with the meaning of the exit code, unless the program reported that it is done. */
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
  const { exits, readStatus } = clis[name];
  const type = exits?.[exitCode ?? 0];
  const status = readStatus?.(exitCode ?? 0);
  const { error } = read;
  if (error !== undefined)
    return status === undefined || error.status !== undefined ? read : { ...read, error: { ...error, status } };
  if (type !== undefined)
    return { ...read, end: 'failed', error: buildCliError(lastLines(stderrTail, explaining), { type }) };
  if (status === undefined) return read;
  return { ...read, end: 'failed', error: buildCliError(lastLines(stderrTail, explainingStatus), { status }) };
}

/** Recognises the report that the conversation to continue does not exist (any more). */
export function lostSession(
  name: OutputName,
  { error, text }: Pick<CliResult, 'error' | 'text'>,
  stderrTail: string,
): boolean {
  const sessionGone = clis[name].sessionGone;
  return (
    sessionGone !== undefined && [error?.message ?? '', text, stderrTail].some((output) => sessionGone.test(output))
  );
}
