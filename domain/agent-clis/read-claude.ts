import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import { isTable } from '../input/is-table.ts';
import {
  amountIn,
  costIn,
  countIn,
  buildDenial,
  buildCliError,
  flagIn,
  listIn,
  parseLine,
  sessionIn,
  sumIn,
  tableIn,
  textIn,
  describeToolInput,
  type JsonFields,
} from './fields.ts';
import { cliLimits } from './limits.ts';
import type { CliReader } from './reader.ts';

const usageKeys = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
const modelKeys = ['inputTokens', 'cacheCreationInputTokens', 'cacheReadInputTokens', 'outputTokens'];

/** Reasons of an end that only say that the names beside them say more. */
const idleReasons = ['completed', 'api_error', 'success'];

/** `claude --print --output-format stream-json --verbose`: the last line of type `result` decides. */
export function readClaude(): CliReader {
  let result: JsonFields | undefined;
  let session: string | undefined;
  let resetsAt: number | undefined;
  let complaint: string | undefined;
  // Without a result line, the usage is summed from the messages, each counted once.
  let message = '';
  let spent = 0;
  return {
    line(text) {
      const event = parseLine(text);
      if (event === undefined) return;
      session = sessionIn(event, 'session_id') ?? session;
      switch (textIn(event, 'type') ?? '') {
        case 'assistant': {
          const reply = tableIn(event, 'message');
          complaint = textIn(event, 'error') ?? complaint;
          const id = textIn(reply, 'id') ?? '';
          if (id !== message) spent += sumIn(tableIn(reply, 'usage'), usageKeys);
          message = id;
          return;
        }
        case 'rate_limit_event':
          resetsAt = resetIn(tableIn(event, 'rate_limit_info'));
          return;
        case 'result':
          result = event;
      }
    },
    close() {
      const common = { ...(session === undefined ? {} : { session }) };
      if (result === undefined) {
        return { ...common, text: '', end: 'none', denied: [], ...(spent === 0 ? {} : { tokens: spent }) };
      }
      const costUsd = costIn(result, 'total_cost_usd');
      return {
        ...common,
        ...readEnd(result, { complaint, resetsAt }),
        text: textIn(result, 'result') ?? '',
        tokens: countTokens(result),
        ...(costUsd === undefined ? {} : { costUsd }),
        denied: deniedIn(result),
      };
    },
  };
}

/** `subtype` is "success" on failures too, and `is_error` is missing after too many turns, so both must report success. */
function readEnd(
  result: JsonFields,
  { complaint, resetsAt }: { complaint: string | undefined; resetsAt: number | undefined },
): Pick<CliFacts, 'end' | 'error'> {
  const refused = textIn(result, 'stop_reason') === 'refusal';
  if (flagIn(result, 'is_error') === false && textIn(result, 'subtype') === 'success' && !refused)
    return { end: 'done' };
  const status = countIn(result, 'api_error_status');
  const names = [
    textIn(result, 'api_error_type'),
    complaint,
    textIn(result, 'terminal_reason'),
    textIn(result, 'subtype'),
  ].filter((name) => name === undefined || !idleReasons.includes(name));
  const error: CliError = buildCliError(readErrorText(result), {
    names,
    ...(refused ? { type: 'safety' as const } : {}),
    ...(status === undefined ? {} : { status }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  });
  return { end: 'failed', error };
}

function readErrorText(result: JsonFields): string {
  const errors = listIn(result, 'errors').filter((each) => typeof each === 'string');
  return textIn(result, 'result') || errors.join('\n') || `It ended with ${textIn(result, 'subtype') ?? 'an error'}.`;
}

/** Seconds since 1970, but only for a limit that stopped the run, not for a limit that is close. */
function resetIn(info: JsonFields | undefined): number | undefined {
  const seconds = textIn(info, 'status') === 'rejected' ? amountIn(info, 'resetsAt') : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Sums all models of the run, helpers included; older versions report the main model alone. */
function countTokens(result: JsonFields): number {
  const models = Object.values(tableIn(result, 'modelUsage') ?? {}).filter(isTable);
  const all = models.reduce((sum, each) => sum + sumIn(each, modelKeys), 0);
  return all > 0 ? all : sumIn(tableIn(result, 'usage'), usageKeys);
}

function deniedIn(result: JsonFields): CliFacts['denied'] {
  return listIn(result, 'permission_denials')
    .filter(isTable)
    .slice(0, cliLimits.denials)
    .map((denial) =>
      buildDenial(textIn(denial, 'tool_name') ?? 'a tool', describeToolInput(tableIn(denial, 'tool_input'))),
    );
}
