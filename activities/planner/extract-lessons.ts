import { Context } from '@temporalio/activity';
import { formatMaterial } from '../../domain/lessons/extraction-request.ts';
import { readExtracted } from '../../domain/lessons/read-extracted.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import type { ListedLesson } from '../../domain/types/basic/lessons.ts';
import type { Extracted, ExtractInput } from '../../domain/types/extraction.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { readLessonList } from '../memory/lesson-list.ts';
import { recallLessons } from '../memory/recall-lessons.ts';
import { definitionFrom } from '../pages/plan-pages.ts';
import { toFailure } from '../temporal/failure.ts';
import { askOnce } from './ask-once.ts';
import type { PlanParts } from './plan-task.ts';

const { output, tries: requests, timeout } = limits.lessons;

/** The activity `extractLessons`: one request, whose answer is kept. Trouble of the model is no trouble of the task. */
export function createExtractLessons(parts: PlanParts): (input: ExtractInput) => Promise<Extracted> {
  return async function extractLessons(input) {
    const { cancellationSignal: signal } = Context.current();
    try {
      return await extract(parts, input, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error);
    }
  };
}

async function extract(parts: PlanParts, input: ExtractInput, signal: AbortSignal): Promise<Extracted> {
  const { store } = parts;
  const { material, lessons: context } = input;
  const { lessons: frozen, config } = await readLessonList(store, context.list);
  if (config === undefined) return { lessons: [], used: nothingUsed, models: [] };
  const { subtask } = await definitionFrom(store, input.plan, input.subtaskId);
  const evidence = formatMaterial(subtask, material);
  const all: ListedLesson[] = [...frozen, ...(context.learned ?? [])];
  const recalled = all.filter(({ id }) => material.recalled.includes(id));
  const near = await recallLessons(store, context, { text: evidence, most: limits.lessons.nearest + recalled.length });
  const nearest = near.filter(({ id }) => !material.recalled.includes(id)).slice(0, limits.lessons.nearest);
  const request = (definition: Subtask): string => formatMaterial(definition, material, nearest);
  const question = { prompt: 'extractor', role: 'extractor', tier: 1, config } as const;
  const { replyText, ...spent } = await askOnce(
    parts,
    input,
    { ...question, request, output, requests, timeout },
    signal,
  );
  return { lessons: replyText === null ? [] : readExtracted(replyText, { evidence, nearest, recalled }), ...spent };
}
