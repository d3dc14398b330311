import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import { oneLine } from '../text/text.ts';
import { costIn, countIn, buildCliError, parseLine, TextTail, tableIn, textIn } from './fields.ts';
import type { CliReader } from './reader.ts';

/** `litellm.RateLimitError: AnthropicException - ...`: what its library calls an error. */
const thrown = /^litellm\.([A-Z][A-Za-z]{2,60}): ?(.*)$/;
/** Where the words of an error end. */
const after = /^(?:Retrying in |The API provider |https?:\/\/|$)/;
/** What stands below the model's last words. */
const receipt = /^Tokens: [\d.,]+[kM]? sent/;
/** Its edits did not fit the files, however often it was told. */
const gaveUp = /^Only \d+ reflections allowed, stopping\.?$/;
/** Below the receipt, which it writes for such a message too. */
const exhausted = /^Model \S+ has hit a token limit!$/;
/** Above the receipt, where the model's words would be: a refusal, for one. */
const empty = /^Empty response received from LLM\b/;

/**
 * aider exits with 0 after every failure and prints no result. The file that `--analytics-log` names tells whether the model answered:
 * each `message_send_starting` is followed by a `message_send`, or nothing came of it. One for which no model spoke is told on stdout alone.
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
        // Whatever of it stands above was said by the model.
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
        // It knows prices of models that it knows: an answer without a price is of another.
        ...(costUsd === undefined || costUsd === 0 ? {} : { costUsd }),
      };
    },
  };
}

/** What ended it though its log has a message. */
function findStopError(seen: { stopped: boolean; isFull: boolean; isEmpty: boolean }): CliError | undefined {
  if (seen.isFull) return buildCliError('The model has hit a token limit.', { type: 'context-overflow' });
  if (seen.isEmpty) return buildCliError('The model gave an empty answer.', { type: 'empty-output' });
  return seen.stopped ? buildCliError('Its edits did not fit the files.', { type: 'diff-invalid' }) : undefined;
}

/** Characters of an error's words: lines of 80 that are joined. */
const maxErrorLength = 2_000;

/** `total_cost` is of the whole session, tokens are of the message. One without any tokens of the model was not answered. */
function usageIn(line: string): { tokens: number; answered: boolean; cost?: number } {
  const used = tableIn(parseLine(line), 'properties');
  const cost = costIn(used, 'total_cost');
  const answered = countIn(used, 'completion_tokens') !== 0;
  return { tokens: countIn(used, 'total_tokens') ?? 0, answered, ...(cost === undefined ? {} : { cost }) };
}
