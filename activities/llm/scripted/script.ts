import { readFile } from 'node:fs/promises';
import { LineCounter, isNode, parseDocument } from 'yaml';
import type * as z from 'zod';

import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { replySchema, scriptSchema, whenSchema, type ScriptEntry } from '../../../domain/llm/script-schema.ts';
import { decodeText, formatUnreadable } from '../../../domain/input/file-text.ts';
import { quoteName } from '../../../domain/input/problem.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';

export type { ScriptEntry };
export type ScriptReply = ScriptEntry['reply'];
export type Script = readonly ScriptEntry[];

/** Reads a script. `SCRIPT_INVALID` with the place and the next step where it cannot be used. */
export async function loadScript(path: string): Promise<Script> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw invalid(
      path,
      `The script ${formatUnreadable(systemCode(error) ?? 'EIO')}.`,
      'Check `script` of the provider in heddle.toml.',
    );
  });
  if (bytes.byteLength > activityLimits.models.scriptBytes) {
    throw invalid(path, 'The script is larger than 2 MB.', 'Check that it is a script, or split it.');
  }
  const decoded = decodeText(bytes);
  if ('broken' in decoded) {
    const { line, column } = decoded.broken;
    throw invalid(`${path}:${line}:${column}`, 'The script is not UTF-8.', 'Save it as UTF-8.');
  }
  return parseScript(decoded.text, path);
}

export function parseScript(source: string, path: string): Script {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false, stringKeys: true, schema: 'core' });
  const placeOf = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw invalid(
      placeOf(broken.pos[0]),
      `The script is not valid YAML: ${broken.message}.`,
      'Correct the text at this place.',
    );
  }
  const parsed = scriptSchema.safeParse(toValue(() => document.toJS({ maxAliasCount: 100 }) as unknown, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const node = findNode(document, issue?.path ?? []);
  const { message, hint } = explain(issue);
  throw invalid(placeOf(node?.range?.[0] ?? 0), message, hint);
}

/** Aliases that stand for too much are refused by the parser. */
function toValue(convert: () => unknown, path: string): unknown {
  try {
    return convert();
  } catch {
    throw invalid(path, 'The aliases of the script expand to too much.', 'Write the values out.');
  }
}

type Issue = z.core.$ZodIssue;

/** The node of a path, or the nearest one around it. */
function findNode(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]) {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node;
  }
  return undefined;
}

const keys = [
  'when',
  'times',
  'reply',
  ...Object.keys(whenSchema.shape),
  ...Object.keys(replySchema.shape),
  'tool',
  'input',
];

function explain(issue: Issue | undefined): { message: string; hint: string } {
  const place = formatPlace(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const nearestKey = nearest(key, keys);
    return {
      message: `${quoteName(key)} is not a key ${place === '' ? 'of an entry' : `of ${place}`}.`,
      hint: nearestKey === undefined ? 'Remove it.' : `Write \`${nearestKey}\`, or remove it.`,
    };
  }
  const expected = issue?.message ?? 'a script';
  return {
    message: `${place === '' ? 'The script' : place} should be ${expected}.`,
    hint: `Make it ${expected}.`,
  };
}

/** Entries count from 1, as people count. */
function formatPlace([entry, ...rest]: readonly PropertyKey[]): string {
  if (typeof entry !== 'number') return '';
  const inside = rest
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  return inside === '' ? `entry ${entry + 1}` : `\`${inside}\` of entry ${entry + 1}`;
}

function invalid(where: string, message: string, hint: string): HeddleError {
  return new HeddleError({ code: 'SCRIPT_INVALID', message, where, hint });
}
