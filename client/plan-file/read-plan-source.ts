import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { decodeText, formatUnreadable } from '../../domain/input/file-text.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planLimits } from '../../domain/input/limits.ts';
import { quoteName } from '../../domain/input/problem.ts';
import { nearest } from '../../domain/text/nearest.ts';
import type { PlanText } from '../../domain/input/plan-source.ts';

export interface PlanReadOptions {
  cwd: string;
  stdin: AsyncIterable<Uint8Array | string>;
}

/** The bytes of a plan file, or of stdin for `-`, as text. */
export async function readPlanSource(path: string, { cwd, stdin }: PlanReadOptions): Promise<PlanText> {
  const name = path === '-' ? 'stdin' : path;
  const bytes = path === '-' ? await collect(stdin, name) : await readFile(resolve(cwd, path), path);
  return { name, text: decode(bytes, name) };
}

async function readFile(absolute: string, path: string): Promise<Buffer> {
  try {
    return await collect(createReadStream(absolute), path);
  } catch (error) {
    throw error instanceof HeddleError ? error : await notFound(path, absolute, readCode(error));
  }
}

/** Stops reading at the limit: a plan may be a pipe that never ends. */
async function collect(chunks: AsyncIterable<Uint8Array | string>, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > planLimits.maxPlanBytes) throw tooLarge(name);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const tooLarge = (name: string): HeddleError =>
  new HeddleError({
    code: 'PLAN_TOO_LARGE',
    message: `The plan is larger than ${planLimits.maxPlanBytes / 1024 / 1024} MB.`,
    where: name,
    hint: 'Put long texts into files in the workspace and name the files in the plan.',
  });

const readCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);

async function notFound(path: string, absolute: string, code: string): Promise<HeddleError> {
  const near = await findNearestFile(absolute);
  return new HeddleError({
    code: 'PLAN_NOT_FOUND',
    message: `The plan file ${quoteName(path)} ${formatUnreadable(code)}.`,
    where: path,
    hint: `${near === undefined ? 'Give the path of a plan file, or `-` for stdin.' : `Did you mean ${join(dirname(path), near)}?`} For a goal, give several words: heddle run "Make the tests pass".`,
  });
}

/** Finds the plan file in the same folder whose name is nearest. */
async function findNearestFile(absolute: string): Promise<string | undefined> {
  const entries = await readdir(dirname(absolute), { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => !entry.isDirectory() && isPlanName(entry.name)).map(({ name }) => name);
  return nearestOf(stem(basename(absolute)), files);
}

const isPlanName = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);

const stem = (name: string): string => name.replace(/\.(?:ya?ml|json)$/i, '');

/** People leave out the ending of a plan file, or write another one. */
function nearestOf(word: string, files: readonly string[]): string | undefined {
  const byStem = new Map(files.map((name) => [stem(name), name]));
  return byStem.get(nearest(word, byStem.keys()) ?? '');
}

function decode(bytes: Buffer, name: string): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const { line, column } = decoded.broken;
  throw new HeddleError({
    code: 'PLAN_SYNTAX',
    message: 'The plan is not UTF-8 text.',
    where: `${name}:${line}:${column}`,
    hint: 'Save the file as UTF-8.',
  });
}
