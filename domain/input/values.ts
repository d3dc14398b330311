import * as z from 'zod';
import { isSourceName } from './source-name.ts';
import { parseDuration } from '../text/duration.ts';
import { planLimits } from './limits.ts';
import { locateInWorkspace } from './source-location.ts';
import type { IssueCode } from './problem.ts';
import { quoteName } from './problem.ts';

/*
 * Schemas of the values in a plan. The message of each schema is the expected value, worded to fit both "should be ..." and
 * "set it to ..."; plan-issues.ts builds the sentences.
 */

/** A problem that is more than a wrong type: it has its own code and message. */
export interface Refusal {
  code: IssueCode;
  message: string;
  hint: string;
}

interface IssueSink {
  issues: z.core.$ZodRawIssue[];
}

/** `path` leads from the checked value to the wrong one. */
export function addRefusal(sink: IssueSink, input: unknown, refusal: Refusal, path: string[] = []): void {
  sink.issues.push({ code: 'custom', input, message: refusal.message, path, params: { refusal } });
}

/** Adds the expected value, when a schema cannot express it by itself. */
export function addExpected(sink: IssueSink, input: unknown, expected: string): void {
  sink.issues.push({ code: 'custom', input, message: expected });
}

const noNul = (text: string): boolean => !text.includes('\0');
const notBlank = (text: string): boolean => text.trim() !== '';

export const text = (expected = 'a string that is not empty') =>
  z
    .string({ error: expected })
    .refine(notBlank, { error: expected })
    .refine(noNul, { error: 'a string without the character U+0000' });

/** Names become parts of ids, so they are short and printable. */
export const name = (what: string) => {
  const expected = `${what}: 1 to ${planLimits.name} printable characters`;
  return text(expected).refine(isSourceName, { error: expected });
};

export const list = <T extends z.ZodType>(item: T, expected: string) => z.array(item, { error: expected });

/** An argument may be empty. */
export const argument = z
  .string({ error: 'a string' })
  .refine(noNul, { error: 'a string without the character U+0000' });

export const argumentList = list(argument, 'a list of arguments');

export const map = <T extends z.ZodRawShape>(shape: T, expected: string) => z.strictObject(shape, { error: expected });

export const yesNo = z.boolean({ error: '`true` or `false`' });

export const buildEnum = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: formatChoice(values) });

/** `a`, `b` or `c`. */
export function formatChoice(values: readonly string[]): string {
  const quoted = values.map((value) => `\`${value}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** YAML 1.1 reads `off` as false, and so do some programs that write plans. */
export const offAsFalse = z.literal(false).transform(() => 'off' as const);

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const error =
    most === Number.MAX_SAFE_INTEGER ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};

export const numberBetween = (least: number, most: number) => {
  const error = most === Infinity ? `a number, ${least} or more` : `a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
};

const tierExpected = '1, 2 or 3';
export const tier = z.literal([1, 2, 3], { error: tierExpected });

const day = 24 * 60 * 60_000;

/** A plan has `30s`, the parsed value is milliseconds. A wait may be `0s`, a limit may not. */
export const duration = (most: number, { orNone = false } = {}) => {
  const error = 'a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`';
  const range = `a duration ${orNone ? 'of' : 'above 0 and'} at most ${most / day} days`;
  return z.string({ error }).transform((value, context) => {
    const ms = parseDuration(value);
    if (ms !== undefined && (ms > 0 || orNone) && ms <= most) return ms;
    addExpected(context, value, ms === undefined ? error : range);
    return z.NEVER;
  });
};

const idExpected = `an id: letters, digits, \`.\`, \`_\` or \`-\`, at most ${planLimits.subtaskId} of them, with at least one letter or digit`;

/** NFC makes two spellings that look the same equal. The length counts UTF-16 units: as a file name an id stays below 255 bytes. */
export const subtaskId = z
  .string({ error: idExpected })
  .normalize('NFC')
  .refine(
    (id) => id.length <= planLimits.subtaskId && /^[\p{L}\p{M}\p{Nd}._-]+$/u.test(id) && /[\p{L}\p{Nd}]/u.test(id),
    { error: idExpected },
  );

/** A file inside the workspace, as the shortest relative path. */
export const workspacePath = text('a path inside the workspace').transform((path, context) => {
  const location = locateInWorkspace(path);
  if (location.kind === 'inside') return location.path;
  if (location.kind === 'workspace')
    addExpected(context, path, 'a path inside the workspace, not the workspace itself');
  else {
    addRefusal(context, path, {
      code: 'PLAN_PATH_OUTSIDE',
      message: `${quoteName(path)} leads outside the workspace.`,
      hint: 'Give a relative path inside the workspace.',
    });
  }
  return z.NEVER;
});

/** A pattern stays as written, but must not lead outside. */
export const workspaceGlob = text('a file pattern such as `*.md`').check((context) => {
  if (locateInWorkspace(context.value.replace(/^!/, '')).kind !== 'outside') return;
  addRefusal(context, context.value, {
    code: 'PLAN_PATH_OUTSIDE',
    message: `${quoteName(context.value)} leads outside the workspace.`,
    hint: 'Give a relative file pattern inside the workspace.',
  });
});

/** A pattern must compile in one of the two modes that the check of rules tries. */
export const regularExpression = z.string({ error: 'a regular expression' }).check((context) => {
  const reason = whyNotCompiled(context.value);
  if (reason === undefined) return;
  addRefusal(context, context.value, {
    code: 'PLAN_WRONG_TYPE',
    message: `\`pattern\` should be a regular expression; this one does not compile: ${reason}.`,
    hint: 'Correct the pattern; put `\\` before a special character that is meant literally.',
  });
});

function whyNotCompiled(pattern: string): string | undefined {
  if (pattern === '') return 'it is empty';
  let reason: string | undefined;
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags);
      return undefined;
    } catch (error) {
      reason = error instanceof Error ? (error.message.split(': ').at(-1) ?? error.message) : String(error);
    }
  }
  return reason;
}

const environmentExpected = 'the name of an environment variable, such as `GH_TOKEN`, without its value';

/** `NAME`, or `NAME?` for an optional variable. A wrong value is never shown, because people write `TOKEN=secret`. */
export const environmentName = (key: string, { orMissing = false, alone = false } = {}) =>
  // The type is what callers read; the check below also sees what is no string.
  z.custom<string>().transform((value: unknown, context) => {
    const name = typeof value === 'string' && orMissing ? value.replace(/\?$/, '') : value;
    if (typeof value === 'string' && typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return value;
    addRefusal(context, undefined, {
      code: 'PLAN_WRONG_TYPE',
      message: `${alone ? '' : 'Each entry of '}\`${key}\` should be ${environmentExpected}.`,
      hint: 'Name the variable only; its value is taken from the environment of the worker.',
    });
    return z.NEVER;
  });
