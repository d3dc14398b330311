import type { NeededValue } from './option-rule.ts';

/** True when a value has the form that an option takes. */
export function fitsForm(form: NeededValue['form'], value: unknown): boolean {
  switch (form) {
    case 'words':
      return isArgumentList(value);
    case 'command':
      return commandIn(value) !== undefined;
    case 'object':
      return isObject(value);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The command of a shell call whose arguments hold nothing else. */
export function commandIn(value: unknown): string | undefined {
  if (!isObject(value) || !('command' in value) || Object.keys(value).length !== 1) return undefined;
  const { command } = value;
  return typeof command === 'string' && command.trim() !== '' && !command.includes('\0') ? command : undefined;
}

/** A program and its arguments. */
export const isArgumentList = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((word) => typeof word === 'string' && !word.includes('\0')) &&
  String(value[0] ?? '').trim() !== '';
