import { lastLines } from '../../../domain/text/text.ts';
import { loginOf } from '../../../domain/agent-clis/logins.ts';
import { classifyCli } from '../../../domain/failure/classify-cli.ts';
import type { CliResult } from '../../../domain/types/basic/completion-contract.ts';
import type { CliProgram } from '../../../domain/types/llm.ts';
import type { ProgramResult } from '../../programs/run-program.ts';
import { ModelError } from '../ports/model.ts';
import { modelError, voidReply, type KeyedRequest } from '../provider/model-trouble.ts';
import { redactRequest } from '../provider/redact-request.ts';

/** A program that gave no reply, classified as for the work of a subtask. Its words are hidden where they repeat the request. */
export function explainCli(
  subject: KeyedRequest,
  program: CliProgram,
  { result, read }: { result: ProgramResult; read: CliResult },
): ModelError {
  if (result.startError !== undefined) {
    const summary = `The program ${program} could not be started: ${result.startError.message}`;
    return modelError('environment', subject, { names: ['program-start'], summary });
  }
  if (result.end === 'timeout') return voidReply(subject, `The program ${program} did not answer in time.`);
  if (result.outputError !== undefined) {
    const summary = `The output of ${program} could not be kept: ${result.outputError.message}`;
    return modelError('environment', subject, { names: ['output'], summary });
  }
  const redact = (text: string): string => redactRequest(text, subject.request, subject.key);
  const { exitCode, signal, stderrTail } = result;
  const execution = { end: 'exited', exitCode, signal, stdoutTail: '', stderrTail } as const;
  const failure = classifyCli(execution, read);
  // It ended in the middle, or its output was cut off: it may have been paid, and asking again can help.
  if (read.error === undefined && failure.type === 'tool-failed') {
    const words = redact(lastLines(stderrTail, explaining));
    return voidReply(subject, `The program ${program} ended without an answer.`, words);
  }
  const { retryAfterMs, resetsAt } = read.error ?? {};
  const retryAfter = resetsAt === undefined ? retryAfterMs : Math.max(0, resetsAt - Date.now());
  const login = failure.type === 'auth' ? `; log in with \`${loginOf(program).command}\` where the worker runs` : '';
  return new ModelError(
    { ...failure, summary: `${program}: ${redact(failure.summary)}${login}`, details: redact(failure.details) },
    { retryAfter, mayCost: (read.tokens ?? 0) > 0 },
  );
}

/** Lines of stderr that explain an end without an answer. */
const explaining = 3;
