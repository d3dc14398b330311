import type { Diagnosis, PastFailure } from '../types/attempt.ts';
import { defaultTaskLimits } from '../limits/task-limits.ts';
import { limits } from '../limits/domain-limits.ts';
import { missingEvidence, type PromptEvidence } from './evidence-blocks.ts';
import { clip, clipXml, clipXmlStart, formatCount } from '../text/text.ts';

export interface RetryContext {
  attempt: number;
  maxAttempts: number;
  /** Failed attempts, oldest first. */
  failures: readonly PastFailure[];
  /** The project memory's hint for the last failure. */
  hint: string | null;
  /** A model's diagnosis of the failures. */
  diagnosis?: Diagnosis;
  intent: string;
  /** The room in characters. */
  room?: number;
  evidence?: Pick<PromptEvidence, 'missing' | 'records'> | undefined;
}

/** Lists failures, newest first, bounded: older failures are dropped before newer ones lose their details. */
export function retryContext(context: RetryContext): string {
  const head = `<retry_context attempt="${context.attempt}" max_attempts="${context.maxAttempts}">\n<previous_failures>`;
  const tail = [
    '</previous_failures>',
    ...learnings(context),
    ...formatDiagnosis(context.diagnosis),
    ...(context.evidence === undefined ? [] : missingEvidence(context.evidence)),
    `<original_intent>${clipXml(context.intent, 500)}</original_intent>`,
    '<instruction>Address the issues above before anything else. Do not repeat the approach that failed. If the task is impossible as it stands, report the status blocked and say why.</instruction>',
    '</retry_context>',
  ].join('\n');
  const room = (context.room ?? defaultTaskLimits.retryContext) - head.length - tail.length - 2;
  return [head, ...previousFailures(context.failures, room), tail].join('\n');
}

/** Lists as many failures as there is room for, newest first. */
export function previousFailures(failures: readonly PastFailure[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const record of [...failures].reverse()) {
    const text = failureXml(record, shown.length === 0 ? limits.failureDetails : limits.failureDetails / 3);
    const omitted = `<omitted failures="${failures.length - shown.length}"/>`;
    if (text.length + omitted.length + 2 > left && shown.length > 0) {
      shown.push(omitted);
      break;
    }
    shown.push(text);
    left -= text.length + 1;
  }
  return shown;
}

function failureXml({ attempt, endedAt, failure, files, denied = [] }: PastFailure, detailLength: number): string {
  const refused = denied.map(({ tool, what }) => `${tool}: ${what}`).join('; ');
  const affected = files.map((file) => `${file.path} (${file.state}, ${formatCount(file.lines, 'line')})`).join('; ');
  return [
    `<failure attempt="${attempt}">`,
    `<type>${failure.type}</type>`,
    `<timestamp>${endedAt}</timestamp>`,
    `<error_summary>${clipXml(clip(failure.summary, limits.summary), 2 * limits.summary)}</error_summary>`,
    ...(failure.details === ''
      ? []
      : [`<error_details>${clipXmlStart(failure.details, detailLength)}</error_details>`]),
    ...(affected === '' ? [] : [`<files_affected>${clipXml(affected, 400)}</files_affected>`]),
    ...(refused === ''
      ? []
      : [`<not_allowed>${clipXml(`${refused}. It cannot be allowed here: work without it.`, 600)}</not_allowed>`]),
    ...(failure.suggestedFix === '' ? [] : [`<suggested_fix>${clipXml(failure.suggestedFix, 400)}</suggested_fix>`]),
    '</failure>',
  ].join('\n');
}

function formatDiagnosis(diagnosis: Diagnosis | undefined): string[] {
  if (diagnosis === undefined) return [];
  const { cause, actions, guardrails, successCriteria } = diagnosis;
  const listed = (name: string, texts: readonly string[]): string[] =>
    texts.map((text) => `<${name}>${clipXml(text, 2 * limits.diagnosis.item)}</${name}>`);
  return [
    '<diagnosis by="model">',
    ...listed('cause', [cause]),
    ...listed('action', actions),
    ...listed('guardrail', guardrails),
    ...listed('success_criterion', successCriteria),
    '</diagnosis>',
  ];
}

/** Facts only: a cause that repeats, and a hint that fixed the same failure before. */
function learnings(context: RetryContext): string[] {
  const bySignature = new Map<string, { summary: string; count: number }>();
  for (const { failure } of context.failures) {
    const { summary, count } = bySignature.get(failure.signature) ?? { summary: failure.summary, count: 0 };
    bySignature.set(failure.signature, { summary, count: count + 1 });
  }
  const repeated = [...bySignature.values()].filter(({ count }) => count > 1);
  const lines = [
    ...(context.hint === null ? [] : [`This failure was fixed before: ${context.hint}`]),
    ...repeated.map(({ summary, count }) => `Failed ${count} times in the same way: ${summary}`),
  ];
  if (lines.length === 0) return [];
  return [
    '<accumulated_learnings>',
    ...lines.slice(0, 5).map((line) => `- ${clipXml(line, 240)}`),
    '</accumulated_learnings>',
  ];
}
