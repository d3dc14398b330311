import type { Issue, Verdict } from '../types/attempt.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import { strategies } from './recovery-strategies.ts';
import { formatList } from '../text/text.ts';
import { buildFailure } from './build-failure.ts';
import { hasOwnText } from './signature.ts';
import { environmentRules } from './rules-machine.ts';
import { findRule, type Finding } from './rules.ts';

/** The first of these that a verdict names decides; the feedback tells of all. */
const verdictOrder: [Issue['code'], FailureType][] = [
  ['deliverable-outside', 'safety'],
  ['merge-conflict', 'merge-conflict'],
  ['missing-sections', 'missing-sections'],
  ['diff-invalid', 'diff-invalid'],
  ['empty-output', 'empty-output'],
  ['syntax-invalid', 'format-invalid'],
  ['evidence-gap', 'evidence-gap'],
  ['unconfirmed-data', 'unconfirmed-data'],
  ['verifier-unreadable', 'verifier-unreadable'],
];

/** What a verdict that failed means. */
export function classifyVerdict(verdict: Pick<Verdict, 'issues' | 'commands'>): Failure {
  const hard = verdict.issues.filter((issue) => issue.severity === 'hard');
  const details = hard
    .map((issue) => (issue.details ? `${issue.message}\n${issue.details}` : issue.message))
    .join('\n');
  const summary = hard.length === 0 ? 'The checks did not pass.' : hard.map((issue) => issue.message).join(' ');
  const sick = findSickness(verdict, hard);
  if (sick !== undefined) return buildFailure('environment', { ...sick, summary, details });
  const type = verdictOrder.find(([code]) => hard.some((issue) => issue.code === code))?.[1] ?? 'verification-failed';
  // Names of files and commands are the subtask's own: what is missing in one says nothing about another.
  const hasWords = hard.some((issue) => hasOwnText(issue.details ?? ''));
  const fix = type === 'missing-sections' ? { fix: nameSections(hard) } : {};
  return buildFailure(type, { summary, details, hasWords, ...fix });
}

/** Commands that fail for the machine's sake say nothing about the work. One that fails for another reason does. */
function findSickness(verdict: Pick<Verdict, 'commands'>, hard: readonly Issue[]): Finding | undefined {
  if (hard.length === 0 || hard.some((issue) => issue.code !== 'verify-command-failed')) return undefined;
  const texts = [
    ...hard.map((issue) => issue.details ?? ''),
    ...verdict.commands.filter(({ exit }) => exit !== 0).map(({ summary }) => summary),
  ];
  for (const text of texts) {
    const finding = findRule(text, environmentRules);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function nameSections(issues: readonly Issue[]): string {
  const names = issues.flatMap(({ code, details }) =>
    code === 'missing-sections' ? (details ?? '').split('\n').filter((name) => name.trim() !== '') : [],
  );
  const { emphasis } = strategies['missing-sections'];
  return names.length === 0 ? emphasis : `${emphasis.replace(/\.$/, '')}: ${formatList(names, 10)}.`;
}
