import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import { isTable } from '../input/is-table.ts';
import {
  costIn,
  countIn,
  buildCliError,
  listIn,
  parseLine,
  sessionIn,
  tableIn,
  textIn,
  type JsonFields,
} from './fields.ts';
import type { CliReader } from './reader.ts';
import { readServiceError } from './service-error.ts';

/**
 * `pi --mode json` exits with 0 after every error. The last message of its model decides, once the line `agent_end` confirms that it is
 * the last.
 */
export function readPi(): CliReader {
  let session: string | undefined;
  let last: JsonFields | undefined;
  let hasEnded = false;
  let complaint: string | undefined;
  let tokens: number | undefined;
  let costUsd = 0;
  return {
    line(line) {
      const event = parseLine(line);
      if (event === undefined) return;
      switch (textIn(event, 'type') ?? '') {
        case 'session':
          session = sessionIn(event, 'id');
          return;
        case 'agent_start':
          hasEnded = false;
          return;
        case 'message_end': {
          const message = tableIn(event, 'message');
          if (textIn(message, 'role') !== 'assistant') return;
          last = message;
          complaint = textIn(message, 'errorMessage');
          const usage = tableIn(message, 'usage');
          tokens = (tokens ?? 0) + (countIn(usage, 'totalTokens') ?? 0);
          costUsd += costIn(tableIn(usage, 'cost'), 'total') ?? 0;
          return;
        }
        case 'agent_end':
          hasEnded = true;
          return;
        case 'auto_retry_end':
          complaint = textIn(event, 'finalError') ?? complaint;
      }
    },
    close() {
      const stop = textIn(last, 'stopReason') ?? '';
      const end = resolveEnd(stop, { hasEnded, complaint });
      const error = end === 'done' ? undefined : findStopError(stop, complaint);
      return {
        text: readMessageText(last),
        end,
        denied: [],
        ...(error === undefined ? {} : { error }),
        ...(session === undefined ? {} : { session }),
        ...(tokens === undefined ? {} : { tokens }),
        // pi knows the prices of some models: tokens without a cost belong to another model.
        ...(costUsd > 0 || tokens === 0 ? { costUsd } : {}),
      };
    },
  };
}

function resolveEnd(
  stop: string,
  { hasEnded, complaint }: { hasEnded: boolean; complaint: string | undefined },
): CliFacts['end'] {
  if (complaint !== undefined || !['', 'stop', 'toolUse'].includes(stop)) return 'failed';
  return hasEnded && stop === 'stop' ? 'done' : 'none';
}

function findStopError(stop: string, complaint: string | undefined): CliError | undefined {
  if (complaint !== undefined) return explain(complaint);
  return ['', 'stop', 'toolUse'].includes(stop)
    ? undefined
    : buildCliError(`The model stopped early: ${stop}.`, { names: [stop] });
}

/** `401 {"type":"error","error":{...}}`: the status, and the service's own error. */
function explain(message: string): CliError {
  const [, digits, body] = /^(\d{3}) (\{.*\})\s*$/su.exec(message) ?? [];
  const service = body === undefined ? undefined : readServiceError(body);
  const status = digits === undefined ? undefined : Number(digits);
  return { ...(service ?? buildCliError(message)), ...(status === undefined ? {} : { status }) };
}

const readMessageText = (message: JsonFields | undefined): string =>
  listIn(message, 'content')
    .filter(isTable)
    .flatMap((part) => textIn(part, 'text') ?? [])
    .join('\n');
