import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { readImport } from '../../../domain/memory/messages.ts';
import { isLessonId } from '../../../domain/lessons/lesson-words.ts';
import type { LessonView } from '../../../domain/types/basic/lessons.ts';
import type { MemoryImport, ProjectMemory } from '../../../domain/types/basic/memory.ts';
import { searchMemory } from '../../projects/search-memory.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { jsonText } from '../shared/output.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { usageError } from '../shared/usage-error.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';

/** `heddle memory [PROJECT]`: what a project knows of failures; the project of the current folder by default. */
export async function memoryCommand(
  context: Context,
  project: string | undefined,
  { search }: { search?: string } = {},
): Promise<number> {
  const name = project ?? (await context.ports.resolveProject(context.ports.cwd));
  return withEndpoint(context, async ({ client }) => {
    const memory = await client.project(name).memory();
    if (search === undefined) return show(context, memory);
    return show(context, await searchMemory(memory, search, context.ports), true);
  });
}

export function memoryAddCommand(context: Context, project: string, text: string): Promise<number> {
  return withEndpoint(context, async ({ client }) => show(context, await client.project(project).addLesson(text)));
}

export function memoryAcceptCommand(context: Context, project: string, id: string): Promise<number> {
  return withEndpoint(context, async ({ client }) => show(context, await client.project(project).acceptLesson(id)));
}

export function memoryForgetCommand(context: Context, project: string, signature: string): Promise<number> {
  return withEndpoint(context, async ({ client }) => show(context, await client.project(project).forget(signature)));
}

export function memorySetCommand(
  context: Context,
  project: string,
  signature: string,
  { text, ...fix }: { rung?: number; hint?: string; text?: string },
): Promise<number> {
  checkFix(signature, { text, ...fix });
  return withEndpoint(context, async ({ client }) => {
    const memory = client.project(project);
    return show(
      context,
      text === undefined ? await memory.set({ signature, ...fix }) : await memory.setLesson(signature, text),
    );
  });
}

/** A lesson has a text, and a signature has a rung and a hint. */
function checkFix(
  name: string,
  { text, rung, hint }: { text: string | undefined; rung?: number; hint?: string },
): void {
  const isLesson = isLessonId(name);
  if (isLesson === (text !== undefined) && (!isLesson || (rung === undefined && hint === undefined))) return;
  const advice = isLesson
    ? `Use \`heddle memory set PROJECT ${name} --text TEXT\`.`
    : 'Use `heddle memory set PROJECT SIGNATURE --rung N --hint TEXT`.';
  throw usageError(isLesson ? `${name} is a lesson, which has a text` : `${name} is no lesson, so it has no text`, {
    hint: advice,
  });
}

/** Always JSON: it is what `import` reads. */
export function memoryExportCommand(context: Context, project: string): Promise<number> {
  return withEndpoint(context, async ({ client }) => {
    const memory = await client.project(project).memory();
    if (context.output.json) context.output.data(memory);
    else context.output.print(jsonText(memory, 2));
    return exits.done;
  });
}

export async function memoryImportCommand(context: Context, project: string, file: string): Promise<number> {
  const memory = await readMemoryFile(resolve(context.ports.cwd, file));
  return withEndpoint(context, async ({ client }) => show(context, await client.project(project).import(memory)));
}

async function readMemoryFile(file: string): Promise<MemoryImport> {
  try {
    const { size } = await stat(file);
    if (size > clientLimits.memory.fileBytes) throw tooLarge(file, size);
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return readImport(value);
  } catch (error) {
    if (error instanceof HeddleError) throw new HeddleError({ ...error.toJSON(), where: file });
    throw notMemory(file, error instanceof Error ? error.message : String(error));
  }
}

function tooLarge(file: string, size: number): HeddleError {
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  return new HeddleError({
    code: 'MEMORY_TOO_LARGE',
    message: `The file has ${mebibytes(size)}; a memory has at most ${mebibytes(clientLimits.memory.fileBytes)}`,
    where: file,
    hint: 'Use a file that `heddle memory export` printed.',
  });
}

function notMemory(file: string, reason: string): HeddleError {
  return new HeddleError({
    code: 'MESSAGE_INVALID',
    message: `The memory cannot be read: ${reason}`,
    where: file,
    hint: 'Use a file that `heddle memory export` printed.',
  });
}

function buildRows(memory: ProjectMemory): Row[] {
  const rows = memory.signatures.map(({ signature, count, fixedAtRung, hint, summary }) => ({
    cells: [
      signature,
      String(count),
      fixedAtRung === null ? '-' : `rung ${fixedAtRung}`,
      plainLine(hint),
      plainLine(summary),
    ],
  }));
  return [{ cells: ['SIGNATURE', 'SEEN', 'FIXED AT', 'HINT', 'SUMMARY'], style: 'dim' }, ...rows];
}

function show({ output }: Context, memory: ProjectMemory, isSearch = false): number {
  if (output.json) output.data(memory);
  else if (memory.signatures.length === 0 && memory.answers.length === 0 && memory.lessons.length === 0)
    output.print(`${memory.project} remembers nothing${isSearch ? ' that fits' : ''}.`);
  else {
    output.print(
      `${memory.project} remembers:`,
      ...(memory.signatures.length === 0 ? [] : renderTable(buildRows(memory), output.width, output.paint)),
      ...memory.answers.map(
        ({ signature, option, by }) => `Answer for ${signature}: ${option}${by === undefined ? '' : ` (${by})`}`,
      ),
      ...formatLessons(memory.lessons, output),
    );
  }
  return exits.done;
}

function formatLessons(lessons: readonly LessonView[], { width, paint }: Context['output']): string[] {
  if (lessons.length === 0) return [];
  const rows = lessons.map(({ id, state, by, shown, helped, hurt, text }) => ({
    cells: [id, state, by, `${shown}/${helped}/${hurt}`, plainLine(text)],
    ...(state === 'active' ? {} : { style: 'dim' as const }),
  }));
  const head: Row = { cells: ['LESSON', 'STATE', 'BY', 'SHOWN/HELPED/HURT', 'TEXT'], style: 'dim' };
  return renderTable([head, ...rows], width, paint);
}
