import type { Issue } from '../../../domain/types/attempt.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Rule } from '../../../domain/types/subtask.ts';
import { clip, formatList } from '../../../domain/text/text.ts';
import type { CheckContext, CheckedFile, LookingCheck } from './check.ts';
import { globFiles } from '../files/list-files.ts';
import type { Content } from '../files/read-file.ts';
import { readFileContent } from '../files/read-file.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';

/** The texts that one rule looks at: files, or stdout when there are none to look at. */
type RuleSubject = { path: string; read: () => Promise<Content> };

/** The texts that one rule looks at, and the files that it cannot read. */
interface Scope {
  subjects: RuleSubject[];
  unreadable: string[];
}

interface Sight {
  /** `NOTES.md line 3: text` for each place where the pattern matches. */
  matches: string[];
  /** Files whose text has a match. */
  where: string[];
  looked: number;
  unchecked: string[];
  stopped?: string;
}

const longestPattern = 120;

/** A pattern that must not match anywhere, or must match somewhere, in the files that a rule names. */
export const checkRules: LookingCheck = async (context) => {
  const issues: Issue[] = [];
  let unseen = 0;
  for (const rule of context.input.checks.rules) {
    const sight = await look(context, rule, await resolveScope(context, rule));
    issues.push(...buildIssues(rule, sight));
    if (sight.looked === 0) unseen += 1;
  }
  return { issues, unseen };
};

async function look(context: CheckContext, rule: Rule, { subjects, unreadable }: Scope): Promise<Sight> {
  const tooMany = subjects.slice(activityLimits.maxCheckedFiles).map(({ path }) => path);
  const sight: Sight = { matches: [], where: [], looked: 0, unchecked: [...unreadable, ...tooMany] };
  for (const subject of subjects.slice(0, activityLimits.maxCheckedFiles)) {
    context.signal.throwIfAborted();
    const content = await subject.read();
    if (content.kind === 'too-large' || content.kind === 'unreadable') sight.unchecked.push(subject.path);
    if (content.kind !== 'text') continue;
    const job = {
      kind: 'pattern',
      text: content.text,
      pattern: rule.pattern,
      most: activityLimits.findingsPerFile,
    } as const;
    const result = await context.inspector.inspect(job);
    if (result.end !== 'done') {
      sight.stopped = result.end === 'timeout' ? `it took too long on ${subject.path}; simplify it` : result.reason;
      return sight;
    }
    sight.looked += 1;
    if (result.findings.length > 0) sight.where.push(subject.path);
    sight.matches.push(...result.findings.map((line) => `${subject.path} ${line}`));
    if (rule.must === 'present' && sight.matches.length > 0) return sight;
  }
  return sight;
}

function buildIssues(rule: Rule, sight: Sight): Issue[] {
  const pattern = `/${clip(rule.pattern, longestPattern)}/`;
  const issue = { code: 'rule-violated', severity: rule.severity } as const;
  if (sight.stopped !== undefined) {
    return [{ ...issue, message: `The pattern ${pattern} could not be checked: ${sight.stopped}.` }];
  }
  if (rule.must === 'present' && sight.matches.length > 0) return [];
  if (rule.must === 'absent' && sight.matches.length > 0) {
    const details = sight.matches.join('\n');
    return [
      {
        ...issue,
        message: `The pattern ${pattern} must not occur, but it does in ${formatList(sight.where)}; remove it.`,
        details,
      },
    ];
  }
  if (sight.unchecked.length > 0) {
    const message = `The pattern ${pattern} was not looked for in ${formatList(sight.unchecked, 3)}: too large, too many, or not readable.`;
    // The pattern may be in a file that was not read: a hard rule holds only for what was looked at.
    return [{ ...issue, message }];
  }
  if (rule.must === 'absent') return [];
  const where = rule.in.length > 0 ? formatList(rule.in) : 'the result';
  const why = sight.looked === 0 ? `there is no text file to look at in ${where}` : `it does not occur in ${where}`;
  return [{ ...issue, message: `The pattern ${pattern} must occur, but ${why}; add it.` }];
}

async function resolveScope(context: CheckContext, rule: Rule): Promise<Scope> {
  if (rule.in.length === 0 && context.input.checks.deliverables.length === 0) {
    return { subjects: [{ path: 'stdout', read: () => Promise.resolve(context.stdout) }], unreadable: [] };
  }
  const { files, unreadable } =
    rule.in.length > 0
      ? await listMatchingFiles(context, rule.in)
      : { files: context.files, unreadable: context.unlisted };
  const subjects = files.map(({ path, real }) => ({
    path,
    read: () => readFileContent(real, activityLimits.maxCheckedBytes),
  }));
  return { subjects, unreadable };
}

/** Files that vanished or lead outside meanwhile are skipped. */
async function listMatchingFiles(
  { root, signal }: CheckContext,
  patterns: string[],
): Promise<{ files: CheckedFile[]; unreadable: string[] }> {
  const { paths, unreadable } = await globFiles(root, patterns, signal);
  const result = { files: new Array<CheckedFile>(), unreadable: [...unreadable] };
  for (const path of paths) {
    const place = await resolveInWorkspace(root, path);
    if (place.kind === 'file') result.files.push({ path, real: place.real, named: true });
    if (place.kind === 'unreadable') result.unreadable.push(path);
  }
  return result;
}
