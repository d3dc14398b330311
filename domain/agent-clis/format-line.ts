import { isTable } from '../input/is-table.ts';
import { listIn, parseLine, tableIn, textIn, describeToolInput, type JsonFields } from './fields.ts';
import type { OutputName } from '../executors/output-names.ts';

/** Formats a line of a program's output for people who follow it; undefined for a line without information. */
export function formatLine(name: OutputName, line: string): string | undefined {
  const event = parseLine(line);
  if (event === undefined) return line.trimStart().startsWith('{') ? undefined : line;
  const text = lineFormats[name](event)?.trim();
  return text === '' ? undefined : text?.split('\n').at(-1);
}

const call = (tool: string | undefined, input: JsonFields | undefined): string | undefined =>
  tool === undefined ? undefined : `${tool} ${describeToolInput(input)}`;

const lineFormats: Readonly<Record<OutputName, (event: JsonFields) => string | undefined>> = {
  claude(event) {
    const last = listIn(tableIn(event, 'message'), 'content').findLast(isTable);
    return textIn(last, 'text') ?? call(textIn(last, 'name'), tableIn(last, 'input'));
  },
  codex(event) {
    const item = tableIn(event, 'item');
    return textIn(item, 'text') ?? textIn(item, 'command') ?? textIn(item, 'message') ?? textIn(event, 'message');
  },
  gemini: (event) =>
    textIn(event, 'role') === 'user'
      ? undefined
      : (textIn(event, 'content') ?? call(textIn(event, 'tool_name'), tableIn(event, 'parameters'))),
  opencode(event) {
    const part = tableIn(event, 'part');
    return textIn(part, 'text') ?? call(textIn(part, 'tool'), tableIn(tableIn(part, 'state'), 'input'));
  },
  pi(event) {
    const message = textIn(event, 'type') === 'message_end' ? tableIn(event, 'message') : undefined;
    if (textIn(message, 'role') !== 'assistant') return undefined;
    const last = listIn(message, 'content').findLast(isTable);
    return textIn(last, 'text') ?? call(textIn(last, 'name'), tableIn(last, 'arguments'));
  },
  // The output of aider is prose.
  aider: () => undefined,
};
