import { clip } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { PathProblem } from '../confine/path-problem.ts';
import type { ToolOutcome } from './tool.ts';

export const failed = (text: string): ToolOutcome => ({ ok: false, text });

/** It may not be used: told to the model, and to people. */
export const refusedBy = (why: string): ToolOutcome => ({ ok: false, text: `Refused: ${why}`, refused: why });

/**
 * Turns a path that must not be used into a refusal, and one that cannot be used into a failure: both are results for the model. Everything
 * else is thrown.
 */
export async function answering<T>(work: () => Promise<T>): Promise<T | ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PathProblem)) throw error;
    const { message } = error;
    switch (error.kind) {
      case 'outside':
      case 'protected':
        return refusedBy(message);
      case 'missing':
      case 'unusable':
      case 'moved':
        return failed(message);
    }
  }
}

/** The same for a step that changes something: where it led to a folder that was moved meanwhile, nobody knows what it did. */
export function performing(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  return answering(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PathProblem && error.kind === 'moved') throw new Error(error.message, { cause: error });
      throw error;
    }
  });
}

/** Lines of a result that fit what a model is shown; the first always does. */
export interface ShownLines {
  lines: string[];
  /** Lines that do not fit. */
  left: number;
  /** All of them, when some do not fit: bounded too. */
  whole?: string;
}

export function fitLines(lines: readonly string[]): ShownLines {
  const { shownBytes, keptBytes } = activityLimits.tools;
  const shown = takeBytes(lines, shownBytes, cutLine);
  if (shown.length === lines.length) return { lines: shown, left: 0 };
  const whole = takeBytes(lines, keptBytes, (line) => line).join('\n');
  return { lines: shown, left: lines.length - shown.length, whole };
}

function takeBytes(lines: readonly string[], most: number, prepare: (line: string) => string): string[] {
  const taken: string[] = [];
  let left = most;
  for (const line of lines) {
    const prepared = prepare(line);
    left -= Buffer.byteLength(prepared) + 1;
    if (left < 0 && taken.length > 0) break;
    taken.push(left < 0 ? clip(prepared, most) : prepared);
  }
  return taken;
}

/** Long lines are cut, and it is said by how much. */
export function cutLine(line: string): string {
  const { lineLength } = activityLimits.tools;
  return line.length <= lineLength ? line : `${clip(line, lineLength)} (cut: ${line.length} characters)`;
}
