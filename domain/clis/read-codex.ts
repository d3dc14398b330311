import type { CliError, CliFacts } from '../model/completion-contract.ts';
import { denialOf, errorOf, parseLine, sessionIn, sumIn, tableIn, textIn } from './fields.ts';
import { cliLimits } from './limits.ts';
import type { CliReader } from './reader.ts';
import { readServiceError, statusIn } from './service-error.ts';

/** `codex exec --json`: the last turn decides. What it complains of in between (`Reconnecting... 2/5`) is not its end. */
export function readCodex(): CliReader {
  let session: string | undefined;
  let text = '';
  let end: CliFacts['end'] = 'none';
  let complaint: string | undefined;
  let tokens: number | undefined;
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
          return;
        case 'item.completed': {
          const item = tableIn(event, 'item');
          if (textIn(item, 'type') === 'agent_message') text = textIn(item, 'text') ?? text;
          if (textIn(item, 'status') === 'declined' && denied.length < cliLimits.denials)
            denied.push(denialOf(textIn(item, 'type') ?? 'a tool', textIn(item, 'command') ?? ''));
          return;
        }
        case 'error':
          complaint = textIn(event, 'message') ?? complaint;
          return;
        case 'turn.completed':
          end = 'done';
          tokens = (tokens ?? 0) + sumIn(tableIn(event, 'usage'), ['input_tokens', 'output_tokens']);
          return;
        case 'turn.failed':
          end = 'failed';
          complaint = textIn(tableIn(event, 'error'), 'message') ?? complaint;
      }
    },
    close() {
      const error = end === 'done' || complaint === undefined ? undefined : explain(complaint);
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

/** Prose, or the JSON of the service as it came. */
function explain(message: string): CliError {
  const status = statusIn(message);
  return readServiceError(message) ?? errorOf(message, status === undefined ? {} : { status });
}
