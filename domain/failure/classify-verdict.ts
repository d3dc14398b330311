import type { Issue, Verdict } from '../types/attempt.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import { strategies } from './recovery-strategies.ts';
import { formatList } from '../text/text.ts';
import { buildFailure } from './build-failure.ts';
import { hasOwnText } from './signature.ts';
import { environmentRules } from './rules-machine.ts';
import { findRule, type RuleMatch } from './rules.ts';

/** The first code that the verdict has decides; the feedback names all of them. */
const verdictOrder: [Issue['code'], FailureType][] = [
  ['deliverable-outside', 'safety'],
  ['merge-conflict', 'merge-conflict'],
  ['missing-sections', 'missing-sections'],
  ['diff-invalid', 'diff-invalid'],
  ['empty-output', 'empty-output'],
  ['syntax-invalid', 'format-invalid'],
  ['tool-failed', 'tool-failed'],
  ['evidence-gap', 'evidence-gap'],
  ['unconfirmed-data', 'unconfirmed-data'],
  ['verifier-unreadable', 'verifier-unreadable'],
];

/** Classifies a failed verdict. */
export function classifyVerdict(verdict: Pick<Verdict, 'issues' | 'commands'>): Failure {
  const hard = verdict.issues.filter((issue) => issue.severity === 'hard');
  const details = hard
    .map((issue) => (issue.details ? `${issue.message}\n${issue.details}` : issue.message))
    .join('\n');
  const summary = hard.length === 0 ? 'The checks did not pass.' : hard.map((issue) => issue.message).join(' ');
  const environmentFailure = findEnvironmentFailure(verdict, hard);
  if (environmentFailure !== undefined) return buildFailure('environment', { ...environmentFailure, summary, details });
  const type = verdictOrder.find(([code]) => hard.some((issue) => issue.code === code))?.[1] ?? 'verification-failed';
  // Names of files and commands belong to the subtask, so a missing one says nothing about other subtasks.
  const hasExplanation = hard.some((issue) => hasOwnText(issue.details ?? ''));
  const fix = type === 'missing-sections' ? { fix: nameSections(hard) } : {};
  return buildFailure(type, { summary, details, hasExplanation, ...fix });
}

/** Commands that fail because of the machine say nothing about the work. A command that fails for another reason does. */
function findEnvironmentFailure(verdict: Pick<Verdict, 'commands'>, hard: readonly Issue[]): RuleMatch | undefined {
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
