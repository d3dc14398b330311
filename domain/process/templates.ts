import { isTable } from '../input/is-table.ts';
import type { PlanPath } from '../input/problem.ts';

/** The value of an input, as a person gave it. */
export type InputValue = string | number | boolean;
export type InputValues = Readonly<Record<string, InputValue>>;

/** Stands for the value of an input. Anything else in braces is text. */
const template = /\{\{[ \t]*inputs\.([^\s{}]*)[ \t]*\}\}/g;

/** Names of the inputs that a text has a template for. */
export const listTemplates = (text: string): string[] => [...text.matchAll(template)].map(([, name = '']) => name);

/** Puts the values in, once: a value is never searched for more templates. */
export const fillText = (text: string, values: InputValues, write: (value: string) => string = String): string =>
  text.replace(template, (whole, name: string) => (Object.hasOwn(values, name) ? write(String(values[name])) : whole));

/** Writes a value so that a regular expression takes it literally, inside of a class too, in both modes. */
export const escapePattern = (value: string): string =>
  value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d');

/** The meaning of a template in a text of a process: words, a part of a pattern, a command, or no template at all. */
export type TextKind = 'words' | 'pattern' | 'command' | 'plain';

/** Keys of a phase that take templates. */
const wordKeys: ReadonlySet<unknown> = new Set([
  'description',
  'criteria',
  'deliverables',
  'requiredSections',
  'evidence',
]);

/** Decides what a text at a path of a process is. */
export function kindOfText(path: PlanPath): TextKind {
  const [first, , third, , fifth] = path;
  switch (first) {
    case 'goal':
    case 'prompts':
    case 'evidence':
      return 'words';
    case 'executor':
      return 'command';
    case 'roles':
      return third === 'executor' ? 'command' : 'plain';
    case 'rules':
      if (third === 'pattern') return 'pattern';
      return third === 'check' ? 'words' : 'plain';
    case 'phases':
      if (wordKeys.has(third)) return 'words';
      if (third === 'executor') return 'command';
      if (third === 'verify') return fifth === 'name' ? 'plain' : 'command';
      return third === 'rules' && fifth === 'pattern' ? 'pattern' : 'plain';
    default:
      return 'plain';
  }
}

/** Lists all texts of a value with their paths. Tests of a process are filled by nobody. */
export function* listTexts(value: unknown, path: PlanPath = []): Generator<{ text: string; path: PlanPath }> {
  if (path.length === 1 && (path[0] === 'tests' || path[0] === 'inputs')) return;
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* listTexts(item, [...path, index]);
  else if (isTable(value)) for (const [key, item] of Object.entries(value)) yield* listTexts(item, [...path, key]);
}

/** Copies a value with its texts changed. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: PlanPath) => string,
  path: PlanPath = [],
): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, index]));
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, [...path, key])]));
}

/** Fills a part of a process; `path` is the place of the part. */
export const fillTexts = (value: unknown, values: InputValues, path: PlanPath): unknown =>
  mapTexts(
    value,
    (text, at) => {
      const kind = kindOfText(at);
      if (kind === 'words') return fillText(text, values);
      return kind === 'pattern' ? fillText(text, values, escapePattern) : text;
    },
    path,
  );

/** The variable by which a command gets the value of an input. */
export const inputVariable = (name: string): string => `HEDDLE_INPUT_${name.toUpperCase()}`;
