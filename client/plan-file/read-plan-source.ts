import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText, formatUnreadable } from '../../domain/input/file-text.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planLimits } from '../../domain/input/limits.ts';
import { quoteName } from '../../domain/input/problem.ts';
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
    throw error instanceof HeddleError ? error : notFound(path, readCode(error));
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

function notFound(path: string, code: string): HeddleError {
  return new HeddleError({
    code: 'PLAN_NOT_FOUND',
    message: `The plan file ${quoteName(path)} ${formatUnreadable(code)}.`,
    where: path,
    hint: 'Give the path of a plan file, or `-` for stdin.',
  });
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
