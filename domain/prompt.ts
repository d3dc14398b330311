import type { DependencyResult } from './attempt.ts';
import { limits } from './limits.ts';
import { retryContext, type RetryContext } from './retry-context.ts';
import type { Subtask } from './task.ts';
import { clip, clipStart, escapeXml } from './text.ts';

export interface PromptParts {
  goal: string;
  subtask: Subtask;
  /** What a person said when asked, newest last. */
  guidance: readonly string[];
  /** What a person said without being asked. */
  steering: readonly string[];
  /** From the second attempt on. */
  retry: RetryContext | null;
  dependencies: readonly DependencyResult[];
}

/** The whole prompt of one attempt, in the order of the contract. */
export function buildPrompt(parts: PromptParts): string {
  return [
    ...guidanceBlock(parts.guidance),
    ...steeringBlock(parts.steering),
    ...(parts.retry === null ? [] : [retryContext(parts.retry)]),
    ...dependencyBlock(parts.dependencies),
    taskText(parts.goal, parts.subtask),
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

function dependencyBlock(dependencies: readonly DependencyResult[]): string[] {
  if (dependencies.length === 0) return [];
  const each = Math.min(limits.dependencyResult, Math.floor(limits.dependencyResults / dependencies.length));
  return [
    `<dependency_results>\n${dependencies.map((result) => dependencyXml(result, each)).join('\n')}\n</dependency_results>`,
  ];
}

function dependencyXml(result: DependencyResult, most: number): string {
  const open = `<dependency id="${escapeXml(result.id)}" status="${result.status}">`;
  if (result.status === 'skipped') {
    return `${open}\nThis result is missing: it was left out (${escapeXml(clip(result.notes, 200))}). Do not invent it; work without it or report the gap.\n</dependency>`;
  }
  const half = Math.max(40, Math.floor(most / 2));
  return [
    open,
    ...(result.notes === '' ? [] : [`<notes>${escapeXml(clip(result.notes, half))}</notes>`]),
    ...(result.deliverables.length === 0
      ? []
      : [`<deliverables>${escapeXml(clip(result.deliverables.join(', '), half))}</deliverables>`]),
    ...(result.preview === '' ? [] : [`<output>${escapeXml(clipStart(result.preview, half))}</output>`]),
    '</dependency>',
  ].join('\n');
}

function taskText(goal: string, subtask: Subtask): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`];
  return [
    subtask.description,
    ...(subtask.role === undefined ? [] : [`Your role: ${subtask.role}`]),
    ...list('Acceptance criteria', subtask.criteria),
    ...list(
      'Deliverables (paths in the working folder; edit them in place, do not write variants of their names)',
      subtask.deliverables,
    ),
    ...list('Required sections', subtask.requiredSections),
    ...(subtask.diff ? ['Output: a unified diff that applies to the working folder, and nothing else.'] : []),
    'If something needed is missing, report the gap; do not substitute it.',
    `Goal of the whole task: ${goal}`,
  ].join('\n\n');
}
