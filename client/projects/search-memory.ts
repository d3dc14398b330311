import type { ProjectMemory } from '../../domain/types/basic/memory.ts';
import type { SearchPort } from '../ports/search.ts';

/** The part of a memory that fits a text, the most relevant first. */
export async function searchMemory(
  { project, signatures, answers, lessons }: ProjectMemory,
  text: string,
  search: SearchPort,
): Promise<ProjectMemory> {
  const entries = [
    ...lessons.map((lesson) => ({ id: lesson.id, text: lesson.text })),
    ...signatures.map(({ signature, type, summary, hint }) => ({ id: signature, text: `${type} ${summary} ${hint}` })),
  ];
  const ids = await search.searchTexts(entries, text);
  const fitting = <T>(items: readonly T[], idOf: (item: T) => string): T[] =>
    ids.flatMap((id) => items.filter((item) => idOf(item) === id));
  return {
    project,
    signatures: fitting(signatures, ({ signature }) => signature),
    answers: fitting(answers, ({ signature }) => signature),
    lessons: fitting(lessons, ({ id }) => id),
  };
}
