import type { Issue, Verdict, VerifyCommandResult } from '../../domain/types/attempt.ts';
import type { FileState } from '../../domain/types/basic/ref.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { clip, clipStart, oneLine } from '../../domain/text/text.ts';

/** The issues that the checks of tier 1 report, and their outcome. */
export type Findings = Pick<Verdict, 'outcome' | 'issues' | 'commands' | 'files' | 'checks' | 'evidence' | 'confirmed'>;

interface Sizes {
  message: number;
  details: number;
  command: number;
  summary: number;
  path: number;
}

/** Tried in turn until the whole fits: long texts go before any item does. */
const sizes: Sizes[] = [
  {
    message: activityLimits.issueMessage,
    details: activityLimits.issueDetails,
    command: 300,
    summary: limits.summary,
    path: 300,
  },
  { message: 240, details: 300, command: 160, summary: 120, path: 200 },
  { message: 160, details: 100, command: 80, summary: 60, path: 120 },
  { message: 80, details: 0, command: 40, summary: 20, path: 60 },
];

/** Findings that fit into the history, whatever hostile names and outputs they were made of. The outcome stays as it was. */
export function boundFindings(findings: Findings): Findings {
  const issues = fewer(findings.issues);
  for (const size of sizes) {
    const bounded = shorten({ ...findings, issues }, size);
    if (jsonBytes(bounded) <= activityLimits.verdictBytes) return bounded;
  }
  return dropItems(shorten({ ...findings, issues }, lastOf(sizes)));
}

/** Hard ones first when not all can stay; the order of the checks is kept. */
function fewer(issues: readonly Issue[]): Issue[] {
  if (issues.length <= activityLimits.verdictIssues) return [...issues];
  const ranked = [...issues.keys()].sort((a, b) => rank(issues[a]) - rank(issues[b]) || a - b);
  const kept = new Set(ranked.slice(0, activityLimits.verdictIssues - 1));
  const rest = issues.filter((_, index) => !kept.has(index));
  const [first] = rest;
  if (first === undefined) return [...issues];
  const severity = rest.some((issue) => issue.severity === 'hard') ? 'hard' : 'advisory';
  const note: Issue = {
    code: first.code,
    severity,
    message: `${rest.length} more issues were found and are not listed here.`,
  };
  return [...issues.filter((_, index) => kept.has(index)), note];
}

/** A path that leads outside the workspace is a matter of safety: it is never among those left out. */
function rank(issue: Issue | undefined): number {
  if (issue?.code === 'deliverable-outside') return 0;
  return issue?.severity === 'hard' ? 1 : 2;
}

function shorten(findings: Findings, size: Sizes): Findings {
  return {
    ...findings,
    issues: findings.issues.map(({ details, path, target, ...issue }) => ({
      ...issue,
      message: clip(oneLine(printable(issue.message)), size.message),
      ...(target === undefined ? {} : { target: clip(oneLine(printable(target)), limits.remediation.target) }),
      ...(path === undefined ? {} : { path: clip(path, size.path) }),
      ...(details === undefined || size.details === 0
        ? {}
        : { details: shortenDetails(issue.code, printable(details), size.details) }),
    })),
    commands: findings.commands.map((result) => ({
      ...result,
      command: clip(result.command, size.command),
      ...(result.name === undefined ? {} : { name: clip(result.name, size.command) }),
      summary: clipStart(printable(result.summary), size.summary),
    })),
    files: findings.files.map((file) => ({ ...file, path: clip(file.path, size.path) })),
  };
}

/** A command's complaint is at the end of what it printed; a list is told from its beginning. */
function shortenDetails(code: Issue['code'], details: string, most: number): string {
  return code.startsWith('verify-command') ? clipStart(details, most) : clip(details, most);
}

/** Passed commands and unchanged files go first, from the end. */
function dropItems(findings: Findings): Findings {
  const bounded = { ...findings, commands: [...findings.commands], files: [...findings.files] };
  while (jsonBytes(bounded) > activityLimits.verdictBytes) {
    const dropped =
      dropLast(bounded.files, (file: FileState) => file.state === 'unchanged') ||
      dropLast(bounded.commands, (result: VerifyCommandResult) => result.exit === 0) ||
      dropLast(bounded.files, () => true) ||
      dropLast(bounded.commands, () => true);
    if (!dropped) break;
  }
  return bounded;
}

function dropLast<T>(items: T[], may: (item: T) => boolean): boolean {
  const index = items.findLastIndex(may);
  if (index !== -1) items.splice(index, 1);
  return index !== -1;
}

/** Control characters say nothing to anybody, and each is six bytes in JSON. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, ' ');
}

function jsonBytes(findings: Findings): number {
  return Buffer.byteLength(JSON.stringify(findings));
}

function lastOf(all: readonly Sizes[]): Sizes {
  const last = all.at(-1);
  if (last === undefined) throw new Error('no sizes');
  return last;
}
