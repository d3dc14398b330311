import { hashText } from '../failure/signature.ts';
import { limits } from '../limits/domain-limits.ts';

/** Scripts that write no spaces: each of their characters counts as a word. */
const unspaced = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f]/gu;

/** The words of a lesson, folded: case, punctuation and spaces make no difference. */
export function lessonWords(text: string): string[] {
  const spaced = text.normalize('NFC').toLowerCase().replace(unspaced, ' $& ');
  return spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The id of a lesson: learned again it is the same one. */
export function buildLessonId(text: string): string {
  const words = lessonWords(text).join(' ');
  return `l-${hashText(words === '' ? text.trim() : words).slice(0, 10)}`;
}

/** Recognises the id of a lesson, which no signature can be. */
export const isLessonId = (text: string): boolean => /^l-[0-9a-f]{10}$/.test(text);

/** A text with its words, so that one text is compared with many. */
export interface SplitText {
  text: string;
  words: ReadonlySet<string>;
}

/** Decides if two lessons have nearly the same words. */
export function areAlike({ text: one, words: a }: SplitText, { text: other, words: b }: SplitText): boolean {
  if (a.size === 0 || b.size === 0) return one.trim() === other.trim();
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common) >= limits.lessons.alike;
}
