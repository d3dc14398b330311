import { resolve } from 'node:path';
import { HeddleError } from '../../../../domain/errors/heddle-error.ts';
import { quoteName } from '../../../../domain/input/problem.ts';
import { processName } from '../../../../domain/schema/process-schema.ts';
import { clip, formatList, oneLine } from '../../../../domain/text/text.ts';
import { describeProcess, type ProcessDescription } from '../../../process/describe-process.ts';
import { findSearchPlace } from '../../../process/search-place.ts';
import { isProcessPath } from '../../../plan-file/load-with-process.ts';
import type { ProcessListing } from '../../../ports/processes.ts';
import { renderTable } from '../../../terminal/render/table.ts';
import { plainLine } from '../../../terminal/text/terminal-text.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';

/** `heddle process list`: which processes there are, and which file replaces which. */
export async function listCommand({ ports, output }: Context): Promise<number> {
  const listed = await ports.listProcesses(await findSearchPlace(ports));
  if (output.json) output.data(listed);
  else
    output.print(
      ...renderTable(
        listed.map((each) => ({
          cells: [each.name, each.from, each.mode ?? '-', plainLine(each.description ?? ''), formatNotes(each)],
        })),
        output.width,
        output.paint,
      ),
    );
  return exits.done;
}

function formatNotes({ trusted, replaces, replacedBy, problem, path }: ProcessListing): string {
  if (problem !== null) return plainLine(`broken: ${problem.message} (${problem.where ?? path})`);
  const notes = [
    ...(trusted ? [] : ['not trusted']),
    ...(replaces.length === 0 ? [] : [`replaces ${formatList(replaces)}`]),
    ...(replacedBy === null ? [] : [`replaced by ${replacedBy}`]),
  ];
  return notes.join(', ');
}

/** `heddle process show`: what a process asks for and does. */
export async function showCommand({ ports, output }: Context, given: string): Promise<number> {
  const nameOrPath = isProcessPath(given) ? resolve(ports.cwd, given) : given;
  const shown = describeProcess(await ports.showProcess(nameOrPath, await findSearchPlace(ports)));
  if (output.json) output.data(shown);
  else output.print(...formatProcess(shown));
  return exits.done;
}

function formatProcess(shown: ProcessDescription): string[] {
  const { name, description, mode, from, path, goal, inputs, phases, rules, tests, warnings } = shown;
  const lines = [
    `${name}: ${description}`,
    `  mode    ${mode}`,
    `  from    ${from} (${path})`,
    ...(goal === null ? [] : [`  goal    ${oneLine(goal)}`]),
    ...titled('Inputs', Object.entries(inputs).map(formatInput)),
    ...titled('Phases', phases.map(formatPhase)),
    ...titled(
      'Rules',
      rules.map((rule) => `${rule.name} (${rule.severity})`),
    ),
    ...titled('Tests', tests.length === 0 ? ['It has no tests.'] : tests),
    ...titled('Warnings', warnings),
  ];
  return lines.map(plainLine);
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

function formatInput([name, input]: [string, ProcessDescription['inputs'][string]]): string {
  const value = input.default === undefined ? 'required' : `default ${JSON.stringify(input.default)}`;
  return `${name} (${input.type}, ${value}): ${input.description}`;
}

function formatPhase({ id, description, dependsOn, optional }: ProcessDescription['phases'][number]): string {
  const after = dependsOn.length === 0 ? '' : ` (after ${dependsOn.join(', ')})`;
  return `${id}${after}${optional ? ' (optional)' : ''}: ${clip(oneLine(description), 160)}`;
}

export interface NewProcessOptions {
  from?: string;
  user?: boolean;
}

/** `heddle process new`: writes a process to be changed, and trusts it. */
export async function newCommand({ ports, output }: Context, name: string, given: NewProcessOptions): Promise<number> {
  if (!processName.safeParse(name).success)
    throw new HeddleError({
      code: 'PROCESS_WRONG_TYPE',
      message: `${quoteName(name)} cannot be the name of a process.`,
      where: 'name',
      hint: 'Use a lower-case letter, then lower-case letters, digits or `-`, at most 40 of them.',
    });
  const { from, user = false } = given;
  const source = from !== undefined && isProcessPath(from) ? resolve(ports.cwd, from) : from;
  const written = await ports.writeProcess(name, { from: source, user, place: await findSearchPlace(ports) });
  if (output.json) output.data(written);
  else output.print(`Wrote ${plainLine(written.path)}. Run it: heddle run --process ${name} "the goal"`);
  return exits.done;
}
