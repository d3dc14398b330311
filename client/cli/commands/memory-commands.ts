import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { readImport } from '../../../domain/memory/messages.ts';
import type { ProjectMemory } from '../../../domain/types/basic/memory.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { jsonText } from '../shared/output.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';

/** `heddle memory [PROJECT]`: what a project knows of failures; the project of the current folder by default. */
export async function memoryCommand(context: Context, project: string | undefined): Promise<number> {
  const name = project ?? (await context.ports.resolveProject(context.ports.cwd));
  return withEndpoint(context, async ({ client }) => show(context, await client.project(name).memory()));
}

export function memoryForgetCommand(context: Context, project: string, signature: string): Promise<number> {
  return withEndpoint(context, async ({ client }) => show(context, await client.project(project).forget(signature)));
}

export function memorySetCommand(
  context: Context,
  project: string,
  signature: string,
  fix: { rung?: number; hint?: string },
): Promise<number> {
  return withEndpoint(context, async ({ client }) =>
    show(context, await client.project(project).set({ signature, ...fix })),
  );
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

async function readMemoryFile(file: string): Promise<Pick<ProjectMemory, 'signatures' | 'answers'>> {
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

function show({ output }: Context, memory: ProjectMemory): number {
  if (output.json) output.data(memory);
  else if (memory.signatures.length === 0 && memory.answers.length === 0)
    output.print(`${memory.project} remembers nothing.`);
  else {
    output.print(
      `${memory.project} remembers:`,
      ...renderTable(buildRows(memory), output.width, output.paint),
      ...memory.answers.map(
        ({ signature, option, by }) => `Answer for ${signature}: ${option}${by === undefined ? '' : ` (${by})`}`,
      ),
    );
  }
  return exits.done;
}
