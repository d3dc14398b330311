import type { CliError, CliFacts } from '../model/completion-contract.ts';
import { oneLine } from '../text/text.ts';
import { amountIn, countIn, errorOf, parseLine, Said, tableIn, textIn } from './fields.ts';
import type { CliReader } from './reader.ts';

/** `litellm.RateLimitError: AnthropicException - ...`: what its library calls an error. */
const thrown = /^litellm\.([A-Z][A-Za-z]{2,60}): ?(.*)$/;
/** Where the words of an error end. */
const after = /^(?:Retrying in |The API provider |https?:\/\/|$)/;
/** What stands below the model's last words. */
const receipt = /^Tokens: [\d.,]+[kM]? sent/;
/** Its edits did not fit the files, however often it was told. */
const gaveUp = /^Only \d+ reflections allowed, stopping\.?$/;

/**
 * aider exits with 0 after every failure and prints no result. The file that `--analytics-log` names tells whether the model answered:
 * each `message_send_starting` is followed by a `message_send`, or nothing came of it.
 */
export function readAider(): CliReader {
  const said = new Said();
  let answer = '';
  let open: { name: string; words: string } | undefined;
  let error: CliError | undefined;
  let stopped = false;
  let end: CliFacts['end'] = 'none';
  let tokens: number | undefined;
  let costUsd: number | undefined;
  const closeError = (): void => {
    if (open !== undefined) error = errorOf(oneLine(open.words), { names: [open.name] });
    open = undefined;
  };
  return {
    line(line) {
      if (receipt.test(line)) answer = said.text;
      said.add(`${line}\n`);
      stopped ||= gaveUp.test(line.trim());
      const found = thrown.exec(line);
      if (found !== null) {
        closeError();
        open = { name: found[1] ?? '', words: found[2] ?? '' };
      } else if (open !== undefined) {
        if (after.test(line) || open.words.length > errorWords) closeError();
        else open.words += ` ${line}`;
      }
    },
    filed(line) {
      const event = parseLine(line);
      switch (textIn(event, 'event') ?? '') {
        case 'message_send_starting':
          end = 'failed';
          return;
        case 'message_send': {
          const { tokens: all, cost } = usageIn(line);
          end = 'done';
          tokens = (tokens ?? 0) + all;
          costUsd = cost ?? costUsd;
        }
      }
    },
    close() {
      closeError();
      const failed = end !== 'done' || stopped;
      const why =
        error ?? (stopped ? errorOf('Its edits did not fit the files.', { type: 'diff-invalid' }) : undefined);
      return {
        text: failed || answer === '' ? said.text : answer,
        end: stopped ? 'failed' : end,
        denied: [],
        ...(failed && why !== undefined ? { error: why } : {}),
        ...(tokens === undefined ? {} : { tokens }),
        // It knows prices of models that it knows: an answer without a price is of another.
        ...(costUsd === undefined || costUsd === 0 ? {} : { costUsd }),
      };
    },
  };
}

/** Characters of an error's words: lines of 80 that are joined. */
const errorWords = 2_000;

/** `total_cost` is of the whole session, tokens are of the message. */
function usageIn(line: string): { tokens: number; cost?: number } {
  const used = tableIn(parseLine(line), 'properties');
  const cost = amountIn(used, 'total_cost');
  return { tokens: countIn(used, 'total_tokens') ?? 0, ...(cost === undefined ? {} : { cost }) };
}
