import type { NeededValue } from './rule.ts';

/** Whether a value is what an option takes. */
export const fitsForm = (form: NeededValue['form'], value: unknown): boolean =>
  form === 'words' ? isWords(value) : typeof value === 'object' && value !== null && !Array.isArray(value);

/** A program and its arguments. */
export const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((word) => typeof word === 'string' && !word.includes('\0')) &&
  String(value[0] ?? '').trim() !== '';
