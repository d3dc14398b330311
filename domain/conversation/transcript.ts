import { fence } from '../text/fence.ts';
import type { ReplyPart } from './message.ts';
import { formatCompaction, formatPermit } from './describe.ts';
import type { LoggedResult, LogEntry, LogEntryOf } from './entry.ts';

/** Formats the whole conversation as Markdown: every text, question and result, in order. */
export function writeTranscript(entries: readonly LogEntry[]): string {
  return `${entries.flatMap(formatEntry).join('\n\n')}\n`;
}

function formatEntry(entry: LogEntry): string[] {
  switch (entry.k) {
    case 'frame':
      return [
        `# Conversation with ${entry.model.name} (${entry.model.id})`,
        `Tools: ${entry.tools.map(({ name }) => name).join(', ')}`,
        '## System',
        entry.system,
        '## Task',
        entry.first,
      ];
    case 'turn':
      return [
        ...entry.heard.answers.flatMap(answerSections),
        ...entry.heard.remarks.flatMap(({ kind, text }) => [
          kind === 'steering' ? '### Steering' : '### Reminder',
          text,
        ]),
        `## Turn ${entry.n}`,
        formatUsage(entry),
        ...entry.parts.flatMap(partSections),
      ];
    case 'result':
      return answerSections(entry);
    case 'claim':
      return [`_Begins: ${entry.effect.action}_`];
    case 'permit':
      return permitSections(entry);
    case 'failed':
      return [`_No ${entry.compactor === undefined ? 'reply' : `summary by ${entry.compactor}`}: ${entry.type}_`];
    case 'fold':
      return [`_${upperFirst(formatCompaction(entry))}_`, ...(entry.upTo.merged === 0 ? [] : [fence(entry.text)])];
    case 'stop':
      return [`_Stopped at ${new Date(entry.at).toISOString()}: ${entry.why}_`];
    case 'segment':
      return [`_Started at ${new Date(entry.at).toISOString()}_`];
    case 'call':
      return [];
  }
}

const formatUsage = ({ usage, costUsd, took }: LogEntryOf<'turn'>): string =>
  `_${usage.input} tokens in (${usage.cached} cached), ${usage.output} out, ${costUsd} USD, ${took} ms_`;

function partSections(part: ReplyPart): string[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [part.text];
    case 'thinking':
      return part.text === '' ? [] : [quote(part.text)];
    case 'call':
      return [`### Call ${part.tool}`, fence(part.input)];
  }
}

function answerSections({ call, tool, text, isError, whole, image }: LoggedResult): string[] {
  return [
    `### ${isError ? 'Error' : 'Result'} of ${tool} (${call})`,
    fence(text),
    ...(whole === undefined ? [] : [`_The whole result has ${whole.bytes} bytes: ${whole.sha256}_`]),
    ...(image === undefined ? [] : [`_The model was shown the image: ${image.sha256}_`]),
  ];
}

function permitSections(permit: LogEntryOf<'permit'>): string[] {
  const line = `_${formatPermit(permit)}_`;
  return permit.by !== 'edit' || permit.input === undefined ? [line] : [line, fence(permit.input)];
}

const quote = (text: string): string => text.replace(/^/gm, '> ');

const upperFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
