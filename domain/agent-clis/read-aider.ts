import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import { oneLine } from '../text/text.ts';
import { costIn, countIn, buildCliError, parseLine, TextTail, tableIn, textIn } from './fields.ts';
import type { CliReader } from './reader.ts';

/** `litellm.RateLimitError: AnthropicException - ...`: an error as the library of aider names it. */
const thrown = /^litellm\.([A-Z][A-Za-z]{2,60}): ?(.*)$/;
/** The line after an error's text. */
const after = /^(?:Retrying in |The API provider |https?:\/\/|$)/;
/** The line below the model's last text. */
const receipt = /^Tokens: [\d.,]+[kM]? sent/;
/** The edits never fitted the files. */
const gaveUp = /^Only \d+ reflections allowed, stopping\.?$/;
/** This line follows the receipt, which aider also prints for such a message. */
const exhausted = /^Model \S+ has hit a token limit!$/;
/** This line precedes the receipt instead of the model's text: a refusal, for example. */
const empty = /^Empty response received from LLM\b/;

/**
 * aider exits with 0 after every failure and prints no result. The file of `--analytics-log` shows if the model answered: each
 * `message_send_starting` is followed by a `message_send`, or the request failed. A failure before any request is reported on stdout alone.
 */
export function readAider(): CliReader {
  const output = new TextTail();
  let answer = '';
  let open: { name: string; message: string } | undefined;
  let error: CliError | undefined;
  let stopped = false;
  let isFull = false;
  let isEmpty = false;
  let end: CliFacts['end'] = 'none';
  let tokens: number | undefined;
  let costUsd: number | undefined;
  const closeError = (): void => {
    if (open !== undefined) error = buildCliError(oneLine(open.message), { names: [open.name] });
    open = undefined;
  };
  return {
    line(line) {
      if (receipt.test(line)) {
        answer = output.text;
        // The model itself wrote everything above.
        isFull = false;
      }
      output.add(`${line}\n`);
      stopped ||= gaveUp.test(line.trim());
      isFull ||= exhausted.test(line.trim());
      isEmpty ||= empty.test(line);
      const match = thrown.exec(line);
      if (match !== null) {
        closeError();
        open = { name: match[1] ?? '', message: match[2] ?? '' };
      } else if (open !== undefined) {
        if (after.test(line) || open.message.length > maxErrorLength) closeError();
        else open.message += ` ${line}`;
      }
    },
    filed(line) {
      const event = parseLine(line);
      switch (textIn(event, 'event') ?? '') {
        case 'message_send_starting':
          end = 'failed';
          return;
        case 'message_send': {
          const { tokens: all, answered, cost } = usageIn(line);
          end = answered ? 'done' : 'failed';
          tokens = (tokens ?? 0) + all;
          costUsd = cost ?? costUsd;
        }
      }
    },
    close() {
      closeError();
      const stop = findStopError({ stopped, isFull, isEmpty });
      const failed = end !== 'done' || stop !== undefined;
      const why = isFull || isEmpty ? stop : (error ?? stop);
      return {
        text: failed || answer === '' ? output.text : answer,
        end: stop === undefined ? end : 'failed',
        denied: [],
        ...(failed && why !== undefined ? { error: why } : {}),
        ...(tokens === undefined ? {} : { tokens }),
        // aider knows the prices of some models: a cost of 0 belongs to another model.
        ...(costUsd === undefined || costUsd === 0 ? {} : { costUsd }),
      };
    },
  };
}

/** Finds the error that ended a run whose log has a message. */
function findStopError(seen: { stopped: boolean; isFull: boolean; isEmpty: boolean }): CliError | undefined {
  if (seen.isFull) return buildCliError('The model has hit a token limit.', { type: 'context-overflow' });
  if (seen.isEmpty) return buildCliError('The model gave an empty answer.', { type: 'empty-output' });
  return seen.stopped ? buildCliError('Its edits did not fit the files.', { type: 'diff-invalid' }) : undefined;
}

/** Characters of an error's text, joined from lines of 80. */
const maxErrorLength = 2_000;

/** `total_cost` covers the whole session, tokens the message. A message without tokens of the model was not answered. */
function usageIn(line: string): { tokens: number; answered: boolean; cost?: number } {
  const used = tableIn(parseLine(line), 'properties');
  const cost = costIn(used, 'total_cost');
  const answered = countIn(used, 'completion_tokens') !== 0;
  return { tokens: countIn(used, 'total_tokens') ?? 0, answered, ...(cost === undefined ? {} : { cost }) };
}
