import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import { readOutput } from '../output/pipeline.ts';
import { escapeXml } from '../text/text.ts';
import { withoutThoughts } from '../output/thoughts.ts';
import type { LearnedLesson } from '../types/basic/lessons.ts';
import { findModelTextProblem } from './lesson-text.ts';
import { areAlike, buildLessonId, lessonWords } from './lesson-words.ts';

const entry = z
  .looseObject({ text: z.string().catch(''), same: z.string().optional().catch(undefined) })
  .transform(({ text, same, ...rest }) => {
    const { replaces } = rest;
    return { text: text.trim(), same, replaces: typeof replaces === 'string' ? replaces : undefined };
  });

const schema = z.looseObject({ lessons: z.array(entry) });

/** The texts that a lesson is checked against. */
export interface LessonChecks {
  /** All that the model was shown of the subtask. */
  evidence: string;
  /** Known lessons that it was shown: it may name only these. */
  nearest: readonly { id: string; text: string }[];
  /** Lessons that the prompts of the subtask showed: their effect is no proof of them. */
  recalled: readonly { id: string; text: string }[];
}

export type ExtractedLesson = Pick<LearnedLesson, 'id' | 'text' | 'replaces'>;

/** Reads a model's reply. A lesson that may not be kept is dropped; an unreadable reply has none. Never throws. */
export function readExtracted(reply: string, checks: LessonChecks): ExtractedLesson[] {
  const read = readOutput(withoutThoughts(reply), { schema, keys: ['lessons'] });
  if (read.kind === 'invalid') return [];
  return read.value.lessons.slice(0, limits.lessons.replied).flatMap(({ text, same, replaces }) => {
    const twin = checks.nearest.find(({ id }) => id === same);
    if (twin !== undefined) return [{ id: twin.id, text: twin.text }];
    if (!mayKeep(text, checks)) return [];
    const older = checks.nearest.find(({ id }) => id === replaces);
    return [{ id: buildLessonId(text), text, ...(older === undefined ? {} : { replaces: older.id }) }];
  });
}

const split = (text: string) => ({ text, words: new Set(lessonWords(text)) });

function mayKeep(text: string, { evidence, recalled }: LessonChecks): boolean {
  if (findModelTextProblem(text) !== undefined) return false;
  const id = buildLessonId(text);
  if (recalled.some((lesson) => lesson.id === id || areAlike(split(lesson.text), split(text)))) return false;
  const basis = evidence.toLowerCase();
  return listNames(text).every((name) => isIn(basis, escapeXml(name).toLowerCase()));
}

/** A word counts only as a whole: `rm` is not in `form`. */
const isIn = (basis: string, name: string): boolean =>
  /^\w+$/.test(name) ? new RegExp(`\\b${name}\\b`).test(basis) : basis.includes(name);

/** Names of files, options, variables and quoted code, and programs that are no words of English. */
const namePatterns = [
  /`([^`]+)`/gu,
  /(?<![\p{L}\p{N}])([\p{L}\p{N}_@.-]*[/\\][^\s,;:)"']+)/gu,
  /(?<![\p{L}\p{N}.])([\p{L}\p{N}_-]{2,}(?:\.[\p{L}\p{N}_-]+)+)/gu,
  /(?<!\S)(--?[a-z][\w-]*)/giu,
  /(\$\w+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b\w+=\S+)/gu,
  /\b(npm|npx|pnpm|yarn|deno|bun|pip3?|python3?|uvx?|git|gh|curl|wget|ssh|scp|sudo|rm|chmod|chown|docker|podman|kubectl|cargo|mvn|gradle|bash|sh|zsh|eval|apt|brew|terraform|ansible|powershell)\b/giu,
];

/** Abbreviations are no names of files. */
const abbreviations = /\b(?:e\.g|i\.e|a\.m|p\.m)\b\.?/giu;

function listNames(text: string): string[] {
  const plain = text.replace(abbreviations, ' ');
  return namePatterns.flatMap((pattern) =>
    [...plain.matchAll(pattern)].map(([, name = '']) => name.replace(/[.,;:!?]+$/u, '')),
  );
}
