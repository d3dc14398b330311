import { join } from 'node:path';
import type { Issue } from '../../../domain/types/attempt.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { findOwnProgram, ownPath } from '../../programs/own-programs.ts';
import { runProgram } from '../../programs/run-program.ts';
import type { ProgramResult } from '../../programs/run-program.ts';
import type { Check, CheckContext } from './check.ts';
import { isBlank, outputWasTheResult } from './check-output.ts';
import { extractDiff } from './extract-diff.ts';

/** With `diff: true`, stdout is a unified diff that applies to the workspace as it is. Nothing is changed by asking. */
export const checkDiff: Check = async (context) => {
  if (!context.input.checks.diff) return [];
  if (context.stdout.kind === 'too-large')
    return [invalid('The diff on standard output is too large to be checked; print a smaller one.')];
  // Said by the check of empty output, in better words.
  if (outputWasTheResult(context) && isBlank(context)) return [];
  if (context.stdout.kind === 'unreadable')
    return [invalid('The diff on standard output could not be kept, so it was not checked; print it again.')];
  const { diff, overlong } = extractDiff(context.stdout.kind === 'text' ? context.stdout.text : '');
  if (diff === '')
    return [invalid('Standard output contains no unified diff; print one with file names and @@ lines.')];
  if (overlong !== undefined) {
    return [invalid('A hunk of the diff has more lines than its @@ line counts; correct the counts.', overlong)];
  }
  const result = await applyCheck(context, diff);
  context.signal.throwIfAborted();
  return readIssues(result, diff);
};

/**
 * Without any repository: the settings of one in the workspace, which a program may have made, could name programs that git runs on the
 * files (filters). Nor is one used that the workspace lies in: git would silently skip files there.
 */
function applyCheck({ root, env, scratch, signal }: CheckContext, diff: string): Promise<ProgramResult> {
  const path = ownPath(env['PATH'], root);
  const git = findOwnProgram('git', { path: env['PATH'], workspace: root });
  return runProgram({
    // A name that nobody finds, where there is none: the system says so.
    argv: [git ?? join(scratch, 'git'), 'apply', '--check', '--whitespace=nowarn', '-'],
    cwd: root,
    env: {
      ...withoutGit(env),
      PATH: path,
      LC_ALL: 'C',
      GIT_DIR: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_OPTIONAL_LOCKS: '0',
    },
    stdin: diff,
    timeout: activityLimits.diffCheckTimeout,
    signal,
    paths: { output: join(scratch, 'git-apply') },
  });
}

/** Variables of the plan can carry settings too. */
const withoutGit = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));

function readIssues(result: ProgramResult, diff: string): Issue[] {
  if (result.end === 'exited' && result.exitCode === 0) return [];
  const stderr = result.stderrTail.trim();
  if (result.end === 'not-started') {
    const trouble = `${result.startError?.code ?? ''} ${result.startError?.message ?? ''}`.trim();
    return [
      invalid(
        'The diff was not checked, because git could not be started; it must be installed on this host.',
        trouble,
      ),
    ];
  }
  if (result.end === 'timeout') {
    return [
      invalid(
        `The diff was not checked: git did not finish within ${formatDuration(activityLimits.diffCheckTimeout)}.`,
        stderr,
      ),
    ];
  }
  return [invalid(`The diff does not apply to the workspace: ${formatReason(stderr, diff)}.`, stderr)];
}

/** The file and the place of the first complaint. */
function formatReason(stderr: string, diff: string): string {
  const failed = /^error: patch failed: (.+):(\d+)$/m.exec(stderr);
  if (failed !== null) {
    return `the hunk at line ${failed[2] ?? '?'} of ${failed[1] ?? '?'} does not match the file as it is now`;
  }
  const corrupt = /^error: corrupt patch at line (\d+)$/m.exec(stderr);
  if (corrupt !== null)
    return `it is malformed after ${hunkAt(diff, Number(corrupt[1]))}; check the counts of its @@ line`;
  return /^(?:error|fatal): (.+)$/m.exec(stderr)?.[1] ?? 'git refused it';
}

function hunkAt(diff: string, line: number): string {
  const before = diff.split('\n').slice(0, line).reverse();
  const hunk = before.find((text) => text.startsWith('@@ '));
  const file = before.find((text) => text.startsWith('+++ '));
  return [hunk, file?.slice(4)].filter((part) => part !== undefined).join(' of ') || 'its first line';
}

function invalid(message: string, details = ''): Issue {
  return { code: 'diff-invalid', severity: 'hard', message, ...(details === '' ? {} : { details }) };
}
