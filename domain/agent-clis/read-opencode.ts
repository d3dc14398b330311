import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import {
  costIn,
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
import { readServiceError } from './service-error.ts';

/** A tool call that its rules refused, or that needed a person at the terminal. */
const isDenial = /\brejected permission\b|\bprevents you from using\b|\bpermission (?:was )?denied by\b/i;

/** `opencode run --format json`: it is done when its last step stopped by itself and no error came after it. */
export function readOpencode(): CliReader {
  const output = new TextTail();
  let session: string | undefined;
  let end: CliFacts['end'] = 'none';
  let error: CliError | undefined;
  let tokens: number | undefined;
  let costUsd: number | undefined = 0;
  const denied: CliFacts['denied'] = [];
  return {
    line(line) {
      const event = parseLine(line);
      if (event === undefined) return;
      session = sessionIn(event, 'sessionID') ?? session;
      const part = tableIn(event, 'part');
      switch (textIn(event, 'type') ?? '') {
        case 'step_start':
          end = 'none';
          return;
        case 'text':
          output.add(`${output.text === '' ? '' : '\n'}${textIn(part, 'text') ?? ''}`);
          return;
        case 'tool_use': {
          const state = tableIn(part, 'state');
          if (denied.length < cliLimits.denials && isDenial.test(textIn(state, 'error') ?? ''))
            denied.push(buildDenial(textIn(part, 'tool') ?? 'a tool', describeToolInput(tableIn(state, 'input'))));
          return;
        }
        case 'step_finish': {
          const reason = textIn(part, 'reason') ?? '';
          tokens = (tokens ?? 0) + (countIn(tableIn(part, 'tokens'), 'total') ?? 0);
          costUsd = sum(costUsd, costIn(part, 'cost'));
          end = reason === 'stop' ? 'done' : 'none';
          error = reason === 'stop' || reason === 'tool-calls' ? undefined : stoppedBy(reason);
          return;
        }
        case 'error':
          end = 'failed';
          error = explain(tableIn(event, 'error'));
      }
    },
    close() {
      return {
        text: output.text,
        end,
        denied,
        ...(error === undefined ? {} : { error }),
        ...(session === undefined ? {} : { session }),
        ...(tokens === undefined ? {} : { tokens }),
        // opencode knows the prices of some models: tokens without a cost belong to another model.
        ...(costUsd !== undefined && (costUsd > 0 || tokens === 0) ? { costUsd } : {}),
      };
    },
  };
}

/** The sum is unknown as soon as one part of it is. */
const sum = (so: number | undefined, more: number | undefined): number | undefined =>
  so === undefined || more === undefined ? undefined : so + more;

function explain(given: JsonFields | undefined): CliError {
  const data = tableIn(given, 'data');
  const service = readServiceError(textIn(data, 'responseBody') ?? '');
  const status = countIn(data, 'statusCode') ?? service?.status;
  const wait = Number(textIn(tableIn(data, 'responseHeaders'), 'retry-after') ?? Number.NaN) * 1_000;
  const name = textIn(given, 'name');
  return buildCliError(textIn(data, 'message') ?? name ?? 'It reported an error without a message.', {
    names: [name === 'ProviderAuthError' ? 'authentication' : name, ...(service?.names ?? [])],
    ...(status === undefined ? {} : { status }),
    ...(wait > 0 ? { retryAfterMs: wait } : {}),
  });
}

/** `length`, `content-filter` and similar reasons: the model was stopped before it had finished. */
const stoppedBy = (reason: string): CliError =>
  buildCliError(`The model stopped early: ${reason || 'without a reason'}.`, { names: [reason] });
