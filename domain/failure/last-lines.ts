import { limits } from '../limits/domain-limits.ts';
import { isQuotedText, isNoise, isReport, isWarning } from './line-kinds.ts';
import { clipStart, withoutColours, withoutStack } from '../text/text.ts';

/** One of the last lines of a failed program's output. */
export interface OutputLine {
  /** The line as it was printed, without the frame around it. */
  raw: string;
  /** The line without quoted text: a quoted error belongs to someone else. */
  unquoted: string;
  /** Sentences count only in the last lines. */
  isLast: boolean;
  /** A test or a compiler reports the failure: the lines around its report are not the cause. */
  isReported: boolean;
}

/** Sentences count in this many last lines: further up they may be warnings, or what a test expected. */
const lastCount = 3;
/** Fixed forms that only failing programs print count in this many last lines, because advice may follow them. */
const formedCount = 12;

/** Drops the lines that only say where in a program an error happened. */
export function withoutNoise(text: string): string {
  return withoutStack(text)
    .split('\n')
    .filter((line) => !isNoise(line))
    .join('\n');
}

/** Prefixes that mark several lines as one message, which counts as one line. */
const speaker = /^\s*(npm error|npm ERR!|remote:|E:|ERROR:)/;

/** Frames that some programs draw around their messages. */
const frame = /^[\s│╷╵┃]+|(?<![\s│┃])[\s│┃]+$/g;

/** A quoted text. Members of an object are excluded, because services explain errors in them. */
const quoted =
  /(?<![:,{[=]\s{0,2})(?:"[^"\n]{1,300}"|`[^`\n]{1,300}`|(?<![\p{L}\p{N}])'[^'\n]{1,300}'(?![\p{L}\p{N}])|‘[^’\n]{1,300}’|“[^”\n]{1,300}”)(?!\s{0,2}:\s?["'{[\d])/gu;

/** Reads the end of an output, last line first. */
export function readLastLines(text: string): OutputLine[] {
  const lines = clipStart(withoutNoise(withoutColours(clipStart(text, 4 * limits.lastWords))), limits.lastWords)
    .split('\n')
    .reverse();
  const isReported = lines.slice(0, lastCount).some(isReport);
  const outputLines: OutputLine[] = [];
  let spoken = 0;
  let before: string | undefined;
  for (const line of lines) {
    const who = speaker.exec(line)?.[1];
    if (who === undefined || who !== before) spoken += 1;
    before = who;
    if (spoken > formedCount) break;
    if (isReport(line) || isQuotedText(line)) continue;
    const raw = line.replace(frame, '');
    const isLast = spoken <= lastCount && !isReported && !isWarning(line);
    outputLines.push({ raw, unquoted: raw.replace(quoted, '"…"'), isLast, isReported });
  }
  return outputLines;
}
