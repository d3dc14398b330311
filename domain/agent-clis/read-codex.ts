import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import { buildDenial, buildCliError, parseLine, sessionIn, sumIn, tableIn, textIn } from './fields.ts';
import { cliLimits } from './limits.ts';
import type { CliReader } from './reader.ts';
import { readServiceError, statusIn } from './service-error.ts';

/** Items that are work: the model's comment on it follows them. */
const work = ['command_execution', 'file_change', 'mcp_tool_call', 'web_search'];

/**
 * `codex exec --json`: the last turn decides. Complaints in between (`Reconnecting... 2/5`) are not its end. A model that refuses leaves
 * a turn that completes without a message, which counts as no work done.
 */
export function readCodex(): CliReader {
  let session: string | undefined;
  let text = '';
  let end: CliFacts['end'] = 'none';
  let complaint: string | undefined;
  let tokens: number | undefined;
  let isAnswered = true;
  let wasSilent = false;
  const denied: CliFacts['denied'] = [];
  return {
    line(line) {
      const event = parseLine(line);
      switch (textIn(event, 'type') ?? '') {
        case 'thread.started':
          session = event && sessionIn(event, 'thread_id');
          return;
        case 'turn.started':
          end = 'none';
          [isAnswered, wasSilent] = [false, false];
          return;
        case 'item.completed': {
          const item = tableIn(event, 'item');
          const type = textIn(item, 'type') ?? '';
          if (type === 'agent_message') text = textIn(item, 'text') ?? text;
          if (type === 'agent_message' || work.includes(type)) isAnswered = type === 'agent_message';
          if (textIn(item, 'status') === 'declined' && denied.length < cliLimits.denials)
            denied.push(buildDenial(type || 'a tool', textIn(item, 'command') ?? ''));
          return;
        }
        case 'error':
          complaint = textIn(event, 'message') ?? complaint;
          return;
        case 'turn.completed':
          wasSilent = !isAnswered;
          end = wasSilent ? 'failed' : 'done';
          tokens = (tokens ?? 0) + sumIn(tableIn(event, 'usage'), ['input_tokens', 'output_tokens']);
          return;
        case 'turn.failed':
          end = 'failed';
          complaint = textIn(tableIn(event, 'error'), 'message') ?? complaint;
      }
    },
    close() {
      const reportedError = end === 'done' || complaint === undefined ? undefined : explain(complaint);
      const error = wasSilent ? silence : reportedError;
      return {
        text,
        end,
        denied,
        ...(error === undefined ? {} : { error }),
        ...(session === undefined ? {} : { session }),
        ...(tokens === undefined ? {} : { tokens }),
      };
    },
  };
}

const silence = buildCliError('The model ended its turn without a message.', { type: 'empty-output' });

/** Parses prose, or the JSON of the service as it came. */
function explain(message: string): CliError {
  const status = statusIn(message);
  return readServiceError(message) ?? buildCliError(message, status === undefined ? {} : { status });
}
