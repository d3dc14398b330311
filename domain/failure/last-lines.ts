import { limits } from '../limits/domain-limits.ts';
import { isMaterial, isNoise, isReport, isWarning } from './line-kinds.ts';
import { clipStart, withoutColours, withoutStack } from '../text/text.ts';

/** One line that a failed program ended with, as rules read it. */
export interface OutputLine {
  /** As it was printed, without the frame around it. */
  raw: string;
  /** Without what stands in quotation marks: a quoted error is somebody else's. */
  unquoted: string;
  /** Sentences count only in the last words. */
  isLast: boolean;
  /** A test or a compiler reports the failure: what stands around its report is material. */
  isReported: boolean;
}

/** Further up a sentence may be a warning, or what a test expected. */
const lastCount = 3;
/** Forms that nothing but a failing program prints are believed a little further up: many lines of advice follow some. */
const formedCount = 12;

/** An output without the lines that only say where in a program it happened. */
export function withoutNoise(text: string): string {
  return withoutStack(text)
    .split('\n')
    .filter((line) => !isNoise(line))
    .join('\n');
}

/** Who speaks in several lines of one message: they count as one. */
const speaker = /^\s*(npm error|npm ERR!|remote:|E:|ERROR:)/;

/** Frames that some programs draw around their messages. */
const frame = /^[\s│╷╵┃]+|(?<![\s│┃])[\s│┃]+$/g;

/** A quoted text, unless it is a member of an object: those are how services explain themselves. */
const quoted =
  /(?<![:,{[=]\s{0,2})(?:"[^"\n]{1,300}"|`[^`\n]{1,300}`|(?<![\p{L}\p{N}])'[^'\n]{1,300}'(?![\p{L}\p{N}])|‘[^’\n]{1,300}’|“[^”\n]{1,300}”)(?!\s{0,2}:\s?["'{[\d])/gu;

/** The end of an output as rules read it, last line first. */
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
    if (isReport(line) || isMaterial(line)) continue;
    const raw = line.replace(frame, '');
    const isLast = spoken <= lastCount && !isReported && !isWarning(line);
    outputLines.push({ raw, unquoted: raw.replace(quoted, '"…"'), isLast, isReported });
  }
  return outputLines;
}
