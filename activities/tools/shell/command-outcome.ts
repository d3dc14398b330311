import { constants } from 'node:os';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { formatCount, withoutColours } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { CommandResult, KilledFor } from '../../sandbox/command.ts';
import type { KeptText } from '../../sandbox/head-tail.ts';
import { cutLine, failed } from '../common/tool-result.ts';
import { UnfinishedToolError, type ToolOutcome } from '../common/tool.ts';

const { shownBytes } = activityLimits.tools;
const { shownHead, processes, outputBytes } = activityLimits.commands;

/**
 * The result of a command for the model: every exit is a result, only 0 is a success. Throws `UnfinishedToolError` when the command was
 * ended in the middle.
 */
export function outcomeOfCommand(result: CommandResult, timeout: number): ToolOutcome {
  switch (result.kind) {
    case 'not-started':
      return failed(`It was not started: ${result.why}`);
    case 'exited': {
      const { text, whole } = showOutput(result.output);
      const shown = [
        ...[formatExit(result), ...formatRepositories(result.repositories)],
        text === '' ? 'It printed nothing.' : text,
      ].join('\n');
      return { ok: result.exit === 0, text: shown, ...(whole === undefined ? {} : { whole }) };
    }
    case 'killed': {
      const { text, whole } = showOutput(result.output);
      const shown = text === '' ? 'It had printed nothing.' : `It had printed:\n${text}\n`;
      const message = [formatKilled(result.for, timeout), ...formatRepositories(result.repositories), shown].join(' ');
      throw new UnfinishedToolError(message, { whole });
    }
  }
}

/** Programs that a repository names run for everybody who uses git there later: the model hears why they are gone. */
function formatRepositories(changes: readonly RepositoryChange[] = []): string[] {
  return changes
    .filter(({ removed }) => removed.length > 0)
    .map(
      ({ path, removed }) =>
        `Of the repository ${path} this was taken out again, since git would run it for others: ${removed.join(', ')}.`,
    );
}

/** A shell tells by its own exit which signal ended the command. */
function formatExit({ exit, signal }: { exit: number | null; signal: string | null }): string {
  const name = signal ?? findSignal(exit ?? 0);
  const why =
    name === 'SIGXFSZ' ? `, since a file became larger than ${formatBytes(activityLimits.commands.fileBytes)}` : '';
  if (exit === null) return `Ended by ${name ?? 'a signal'}${why}.`;
  return name === undefined ? `Exit ${exit}.` : `Exit ${exit} (${name}${why}).`;
}

const findSignal = (exit: number): string | undefined =>
  exit > 128 ? Object.entries(constants.signals).find(([, number]) => number === exit - 128)?.[0] : undefined;

function formatKilled(what: KilledFor | 'abort', timeout: number): string {
  switch (what) {
    case 'time':
      return `It was ended after ${formatDuration(timeout)}, which is as long as a command may take.`;
    case 'processes':
      return `It was ended because it ran more than ${processes} processes at once.`;
    case 'memory':
      return 'It was ended because it took too much memory.';
    case 'output':
      return `It was ended because it printed more than ${formatBytes(outputBytes)}.`;
    case 'abort':
      return 'It was ended because the attempt was stopped.';
  }
}

/** The first lines and, where there are more, the last ones: errors are at the end, what it was doing at the beginning. */
export function showOutput({ head, tail, dropped }: KeptText): Pick<ToolOutcome, 'text' | 'whole'> {
  const [first, last] = [splitLines(head), splitLines(tail)];
  const gap = dropped > 0 ? [`(${formatBytes(dropped)} were dropped here)`] : [];
  const whole = [...first, ...gap, ...last].join('\n');
  const all = [...first, ...last];
  const begin = take(all, dropped === 0 && Buffer.byteLength(whole) < shownBytes ? shownBytes : shownHead);
  const end = take(all.slice(begin.length).reverse(), shownBytes - shownHead).reverse();
  const left = all.length - begin.length - end.length;
  if (left === 0 && dropped === 0 && all.every((line) => line === cutLine(line))) return { text: whole };
  const missing =
    left === 0 && dropped === 0 ? [] : [`(${formatCount(left, 'line')}${formatDropped(dropped)} not shown)`];
  return { text: [...begin, ...missing, ...end].join('\n'), whole };
}

const formatDropped = (bytes: number): string => (bytes === 0 ? '' : `, and ${formatBytes(bytes)} that were not kept,`);

/** Without colours; of a line that was overwritten, as progress bars do, its last state. */
function splitLines(text: string): string[] {
  const plain = withoutColours(text).replace(/\r\n/g, '\n').replace(/\n$/, '');
  return plain === '' ? [] : plain.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1));
}

/** As many as fit, long ones cut. */
function take(lines: readonly string[], most: number): string[] {
  const taken: string[] = [];
  let left = most;
  for (const line of lines) {
    const cut = cutLine(line);
    left -= Buffer.byteLength(cut) + 1;
    if (left < 0) break;
    taken.push(cut);
  }
  return taken;
}
