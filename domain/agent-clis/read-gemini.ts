import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import {
  countIn,
  buildDenial,
  buildCliError,
  parseLine,
  TextTail,
  sessionIn,
  tableIn,
  textIn,
  describeToolInput,
  type JsonFields,
} from './fields.ts';
import { cliLimits } from './limits.ts';
import type { CliReader } from './reader.ts';
import { readServiceError, statusIn } from './service-error.ts';

/** A tool call that its rules refused, by the name of the error. */
const isDenial = /policy|denied|permission/i;

/** `gemini --output-format stream-json`: the line of type `result` decides, whatever the program exits with. */
export function readGemini(): CliReader {
  const output = new TextTail();
  let session: string | undefined;
  let result: JsonFields | undefined;
  let complaint: string | undefined;
  const denied: CliFacts['denied'] = [];
  const calls = new Map<string, JsonFields>();
  return {
    line(line) {
      const event = parseLine(line);
      if (event === undefined) return;
      session = sessionIn(event, 'session_id') ?? session;
      switch (textIn(event, 'type') ?? '') {
        case 'message':
          if (textIn(event, 'role') === 'assistant') output.add(textIn(event, 'content') ?? '');
          return;
        case 'tool_use':
          // A result follows its call, so older calls can be dropped.
          if (calls.size >= cliLimits.denials) calls.clear();
          calls.set(textIn(event, 'tool_id') ?? '', event);
          output.add(output.text === '' || output.text.endsWith('\n') ? '' : '\n');
          return;
        case 'tool_result': {
          const error = tableIn(event, 'error');
          const call = calls.get(textIn(event, 'tool_id') ?? '');
          if (error === undefined || denied.length >= cliLimits.denials) return;
          if (isDenial.test(textIn(error, 'type') ?? ''))
            denied.push(
              buildDenial(textIn(call, 'tool_name') ?? 'a tool', describeToolInput(tableIn(call, 'parameters'))),
            );
          return;
        }
        case 'error':
          complaint = textIn(event, 'message') ?? complaint;
          return;
        case 'result':
          result = event;
      }
    },
    close() {
      const tokens = countIn(tableIn(result, 'stats'), 'total_tokens');
      return {
        text: output.text,
        denied,
        ...readEnd(result, complaint),
        ...(session === undefined ? {} : { session }),
        ...(tokens === undefined ? {} : { tokens }),
      };
    },
  };
}

function readEnd(result: JsonFields | undefined, complaint: string | undefined): Pick<CliFacts, 'end' | 'error'> {
  const status = textIn(result, 'status');
  if (status === 'success') return { end: 'done' };
  const error = tableIn(result, 'error');
  const message = textIn(error, 'message') ?? complaint;
  if (message === undefined) return { end: result === undefined ? 'none' : 'failed' };
  return { end: result === undefined ? 'none' : 'failed', error: explain(message, textIn(error, 'type')) };
}

/** `[API Error: {"error":{...}}]` contains the service's own error. */
function explain(message: string, name: string | undefined): CliError {
  const inner = /^\[API Error: (.*)\]$/s.exec(message.trim())?.[1] ?? message;
  const status = statusIn(message);
  return (
    readServiceError(inner) ?? buildCliError(inner, { names: [name], ...(status === undefined ? {} : { status }) })
  );
}
