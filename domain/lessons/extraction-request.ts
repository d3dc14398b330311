import { diagnosisRequest } from '../planner/diagnosis.ts';
import { escapeXml } from '../text/text.ts';
import type { LessonMaterial } from '../types/extraction.ts';
import type { Subtask } from '../types/subtask.ts';

/** Builds the request: the subtask, how it failed, how it ended, a person's words, and the nearest known lessons. */
export function formatMaterial(
  definition: Subtask,
  { failures, passed, notes, files, corrections }: LessonMaterial,
  nearest: readonly { id: string; text: string }[] = [],
): string {
  const end = [
    passed ? 'A later attempt passed.' : 'No attempt passed.',
    ...(notes === '' ? [] : [`It reported: ${notes}`]),
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}`]),
  ];
  return [
    diagnosisRequest(definition, failures),
    formatPart('end', end),
    ...(corrections.length === 0 ? [] : [formatPart('corrections', corrections)]),
    ...(nearest.length === 0
      ? []
      : [
          formatPart(
            'known_lessons',
            nearest.map(({ id, text }) => `${id}: ${text}`),
          ),
        ]),
  ].join('\n\n');
}

const formatPart = (name: string, lines: readonly string[]): string =>
  `<${name}>\n${escapeXml(lines.join('\n'))}\n</${name}>`;
