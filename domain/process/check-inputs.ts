import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from '../input/limits.ts';
import { describeValue, quoteName } from '../input/problem.ts';
import { locateInWorkspace } from '../input/source-location.ts';
import { formatChoice } from '../input/values.ts';
import type { InputDeclaration } from '../schema/process-schema.ts';
import { nearest } from '../text/nearest.ts';
import { fitsBytes } from '../text/text.ts';
import { inputVariable, type InputValue, type InputValues } from './templates.ts';

export type Declarations = Readonly<Record<string, InputDeclaration>>;

/** A value that fits, or what it should be and what to do. */
export type CheckedValue = { ok: true; value: InputValue } | { ok: false; expected: string; hint: string };

const wrong = (expected: string, hint = `Make it ${expected}.`): CheckedValue => ({ ok: false, expected, hint });

/** Checks a value against the declaration of its input. A text is read as a number or a boolean where one is expected. */
export function checkValue(declaration: InputDeclaration, given: unknown): CheckedValue {
  const { type = 'string' } = declaration;
  if (typeof given === 'string' && given.includes('\0')) return wrong('a string without the character U+0000');
  if (typeof given === 'string' && !fitsBytes(given, planLimits.process.valueBytes))
    return wrong(
      `at most ${planLimits.process.valueBytes / 1024} KiB`,
      'Put long texts into a file and give its path.',
    );
  switch (type) {
    case 'integer':
    case 'number':
      return checkNumber(declaration, given);
    case 'boolean':
      if (given === true || given === 'true') return { ok: true, value: true };
      return given === false || given === 'false' ? { ok: true, value: false } : wrong('`true` or `false`');
    case 'choice':
      return checkChoice(declaration, given);
    case 'path':
      return checkPath(given);
    case 'string':
      return checkText(declaration, given);
  }
}

const quoteIt = (expected: string, given: unknown): CheckedValue =>
  wrong(expected, typeof given === 'number' || typeof given === 'boolean' ? 'Put it in quotes: quote it.' : undefined);

function checkText({ pattern }: InputDeclaration, given: unknown): CheckedValue {
  if (typeof given !== 'string') return quoteIt('a string', given);
  if (pattern === undefined || anchored(pattern).test(given)) return { ok: true, value: given };
  return wrong(`a string that matches ${quoteName(pattern)} from beginning to end`);
}

/** A pattern describes the whole value. */
function anchored(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return new RegExp(`^(?:${pattern})$`);
  }
}

const wholeText = /^-?(?:0|[1-9]\d*)$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function checkNumber({ type, min, max }: InputDeclaration, given: unknown): CheckedValue {
  const isWhole = type === 'integer';
  const form = isWhole ? wholeText : numberText;
  const value = typeof given === 'string' && form.test(given) ? Number(given) : given;
  const what = isWhole ? 'a whole number' : 'a number';
  const range = `${min === undefined ? '' : `, ${min} or more`}${max === undefined ? '' : `, ${max} or less`}`;
  const isNumber = typeof value === 'number' && (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value));
  if (!isNumber || value < (min ?? -Infinity) || value > (max ?? Infinity)) return wrong(`${what}${range}`);
  return { ok: true, value };
}

function checkChoice({ options = [] }: InputDeclaration, given: unknown): CheckedValue {
  const expected = formatChoice(options);
  if (typeof given !== 'string') return quoteIt(expected, given);
  if (options.includes(given)) return { ok: true, value: given };
  const near = nearest(given, options);
  return wrong(expected, near === undefined ? undefined : `Did you mean \`${near}\`?`);
}

function checkPath(given: unknown): CheckedValue {
  if (typeof given !== 'string' || given.trim() === '') return quoteIt('a path inside the workspace', given);
  const location = locateInWorkspace(given);
  if (location.kind === 'outside')
    return wrong('a path inside the workspace', 'Give a relative path that stays in the workspace.');
  return { ok: true, value: location.kind === 'inside' ? location.path : '.' };
}

export interface CheckedInputs {
  values: InputValues;
  problems: Problem[];
}

/** Checks the given values, and fills in the defaults: every missing, unknown and unfit one is listed. */
export function checkInputs(declarations: Declarations, given: Readonly<Record<string, unknown>>): CheckedInputs {
  const values: Record<string, InputValue> = {};
  const problems: Problem[] = [];
  for (const [name, declaration] of Object.entries(declarations)) {
    const value = Object.hasOwn(given, name) ? given[name] : declaration.default;
    if (value === undefined) {
      problems.push(missing(name, declaration));
      continue;
    }
    const checked = checkValue(declaration, value);
    if (checked.ok) values[name] = checked.value;
    else problems.push(unfit(name, value, checked));
  }
  const names = Object.keys(declarations);
  for (const name of Object.keys(given)) if (!Object.hasOwn(declarations, name)) problems.push(unknown(name, names));
  return { values, problems };
}

const missing = (name: string, { description }: InputDeclaration): Problem => ({
  code: 'INPUT_MISSING',
  message: `The input \`${name}\` is missing: ${description}.`.replace(/([.!?])\.$/, '$1'),
  where: `inputs.${name}`,
  hint: `Give it with --set ${name}=VALUE, or under \`inputs\` of the plan.`,
});

const unfit = (name: string, value: unknown, { expected, hint }: CheckedValue & { ok: false }): Problem => ({
  code: 'INPUT_INVALID',
  message: `The input \`${name}\` should be ${expected}; found ${describeValue(value)}.`,
  where: `inputs.${name}`,
  hint,
});

function unknown(name: string, names: readonly string[]): Problem {
  const near = nearest(name, names);
  const all = names.length === 0 ? 'It has no inputs.' : `Its inputs: ${names.join(', ')}.`;
  return {
    code: 'INPUT_UNKNOWN',
    message: `The process has no input ${quoteName(name)}${near === undefined ? '.' : `; did you mean \`${near}\`?`}`,
    where: `inputs.${quoteName(name).slice(1, -1)}`,
    hint: near === undefined ? all : `Write \`${near}\`.`,
  };
}

/** Throws one problem as itself, and several as `INPUT_INVALID` with a list. */
export function inputError(problems: readonly Problem[]): HeddleError {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) return new HeddleError(first);
  return new HeddleError(
    {
      code: 'INPUT_INVALID',
      message: `The inputs have ${problems.length} problems.`,
      where: 'inputs',
      hint: 'Correct each of the problems listed.',
    },
    problems,
  );
}

/** The values as commands get them. A path that looks like an option of a program does not reach it as one. */
export function buildInputVariables(declarations: Declarations, values: InputValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isOption = declarations[name]?.type === 'path' && String(value).startsWith('-');
      return [inputVariable(name), `${isOption ? './' : ''}${String(value)}`];
    }),
  );
}
