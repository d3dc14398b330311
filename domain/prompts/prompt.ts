import type { DependencyResult, PromptContext } from '../types/attempt.ts';
import { limits } from '../limits/domain-limits.ts';
import { formatEvidenceRules, knownEvidence, type PromptEvidence } from './evidence-blocks.ts';
import { lessonBlock } from './lessons.ts';
import { reportRequest } from './report-request.ts';
import { retryContext } from './retry-context.ts';
import type { Subtask } from '../types/subtask.ts';
import { defaultPromptRoom, type PromptRoom } from '../limits/task-limits.ts';
import { clip, clipXml, clipXmlStart, escapeXml } from '../text/text.ts';

export interface PromptParts {
  goal: string;
  subtask: Subtask;
  attempt: number;
  context: PromptContext;
  dependencies: readonly DependencyResult[];
  /** Texts of lessons, the most relevant first. */
  lessons?: readonly string[];
  evidence?: PromptEvidence | undefined;
}

/** The whole prompt of one attempt, in the order of the contract. */
export function buildPrompt(parts: PromptParts): string {
  const { goal, subtask, attempt, context, dependencies, lessons = [], evidence } = parts;
  const { guidance, steering, retry } = context;
  const room = { ...defaultPromptRoom, ...context.room };
  return [
    ...guidanceBlock(guidance),
    ...steeringBlock(steering),
    ...(retry === null || retry.failures.length === 0
      ? []
      : [retryContext({ ...retry, attempt, intent: subtask.description, room: room.retryContext, evidence })]),
    ...dependencyBlock(dependencies, room),
    ...knownEvidence(evidence?.records ?? []),
    ...lessonBlock(lessons),
    ...remediationBlock(context.remediation),
    taskText(goal, subtask, evidence?.targets ?? []),
  ].join('\n\n');
}

function guidanceBlock(guidance: readonly string[]): string[] {
  if (guidance.length === 0) return [];
  const newestFirst = [...guidance].reverse().map((text) => escapeXml(clip(text, limits.instruction)));
  return [
    `<guidance authority="person">\nA person gave this instruction after earlier attempts failed. It is authoritative: follow it before anything else.\n${newestFirst.join('\n\n')}\n</guidance>`,
  ];
}

function steeringBlock(steering: readonly string[]): string[] {
  if (steering.length === 0) return [];
  return [`<steering>\n${steering.map((text) => escapeXml(text)).join('\n')}\n</steering>`];
}

const remediationRules =
  'The work is there and misses only evidence for what is named here. For each: find the evidence and name its source, or take the claim out and say so in your notes. Change nothing else.';

function remediationBlock(owed: PromptContext['remediation']): string[] {
  if (owed === undefined) return [];
  const targets = owed.targets.map((target) => `<target>${escapeXml(target)}</target>`);
  const open = `<remediation reasons="${owed.reasons.join(' ')}">`;
  return [[open, remediationRules, ...targets, '</remediation>'].join('\n')];
}

/** All results share one bound; a program finds the complete ones in its inputs. */
function dependencyBlock(dependencies: readonly DependencyResult[], room: PromptRoom): string[] {
  if (dependencies.length === 0) return [];
  const each = Math.min(room.dependencyResult, Math.floor(room.dependencyResults / dependencies.length));
  const shown = new Map<DependencyResult, string>();
  let left = room.dependencyResults;
  // A missing result is a warning, so it comes before results that can be read elsewhere.
  for (const result of [...dependencies].sort((a, b) => missingFirst(a) - missingFirst(b))) {
    const xml = dependencyXml(result, each);
    if (xml.length + 1 > left) continue;
    left -= xml.length + 1;
    shown.set(result, xml);
  }
  const omitted = dependencies.length - shown.size;
  return [
    [
      '<dependency_results>',
      ...dependencies.flatMap((result) => shown.get(result) ?? []),
      ...(omitted === 0 ? [] : [`<omitted dependencies="${omitted}">Their results are in the inputs.</omitted>`]),
      '</dependency_results>',
    ].join('\n'),
  ];
}

const missingFirst = (result: DependencyResult): number => (result.status === 'skipped' ? 0 : 1);

/** A part with less room than this is left out, because it would be unreadable. */
const leastPart = 20;

function dependencyXml(result: DependencyResult, most: number): string {
  const open = `<dependency id="${escapeXml(result.id)}" status="${result.status}">`;
  const close = '</dependency>';
  if (result.status === 'skipped') {
    const why = most < 400 || result.notes === '' ? '' : ` (${clipXml(result.notes, 200)})`;
    return `${open}\nThis result is missing: it was skipped${why}. Do not invent it; work without it or report the gap.\n${close}`;
  }
  let left = most - open.length - close.length - 1;
  const part = (tag: string, text: string, share: number, cut: typeof clipXml): string[] => {
    const room = Math.floor(left * share) - 2 * tag.length - '<></>\n'.length;
    if (text === '' || room < leastPart) return [];
    const xml = `<${tag}>${cut(text, room)}</${tag}>`;
    left -= xml.length + 1;
    return [xml];
  };
  return [
    open,
    ...part('notes', result.notes, 1 / 2, clipXml),
    ...part('deliverables', result.deliverables.join(', '), 1 / 2, clipXml),
    ...part('output', result.preview, 1, clipXmlStart),
    close,
  ].join('\n');
}

function taskText(goal: string, subtask: Subtask, targets: readonly string[]): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`];
  return [
    ...(subtask.persona === undefined ? [] : [subtask.persona]),
    subtask.description,
    ...(subtask.role === undefined ? [] : [`Your role: ${subtask.role}`]),
    ...list('Acceptance criteria', subtask.criteria),
    ...list(
      'Deliverables (paths in the working folder; edit them in place, do not create variants of their names)',
      subtask.deliverables,
    ),
    ...list('Required sections', subtask.requiredSections),
    ...(subtask.evidence === undefined
      ? []
      : [formatEvidenceRules(subtask.evidence, targets, subtask.executor.kind === 'agent')]),
    ...(subtask.diff ? ['Output: a unified diff that applies to the working folder, and no other text.'] : []),
    'If something you need is missing, report the gap; do not substitute it.',
    ...reportRequest(subtask),
    `Goal of the task: ${goal}`,
  ].join('\n\n');
}
