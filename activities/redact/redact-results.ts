import type { Verdict } from '../../domain/types/attempt.ts';
import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';
import type { Redactor } from './redactor.ts';

/** Its strings by themselves: JSON may write a character in ways that nobody expects in a stream. */
export function redactContract(contract: CompletionContract, redactor: Redactor): CompletionContract {
  const { notes, deliverablesTouched } = contract;
  return {
    ...contract,
    ...(notes === undefined ? {} : { notes: redactor.text(notes) }),
    ...(deliverablesTouched === undefined
      ? {}
      : { deliverablesTouched: deliverablesTouched.map((path) => redactor.text(path)) }),
  };
}

/** Redacts findings of checks, which may quote files, before anything of them is cut. */
export function redactFindings<T extends Pick<Verdict, 'issues' | 'commands' | 'files'>>(
  findings: T,
  redactor: Redactor,
): T {
  const text = (value: string): string => redactor.text(value);
  return {
    ...findings,
    issues: findings.issues.map((issue) => ({
      ...issue,
      message: text(issue.message),
      ...(issue.path === undefined ? {} : { path: text(issue.path) }),
      ...(issue.target === undefined ? {} : { target: text(issue.target) }),
      ...(issue.details === undefined ? {} : { details: text(issue.details) }),
    })),
    commands: findings.commands.map((command) => ({
      ...command,
      command: text(command.command),
      ...(command.name === undefined ? {} : { name: text(command.name) }),
      summary: text(command.summary),
    })),
    files: findings.files.map((file) => ({ ...file, path: text(file.path) })),
  };
}
