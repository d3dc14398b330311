import { describeAnswer } from '../conversation/describe.ts';
import type { Exchange } from '../conversation/exchange.ts';
import { readTodos } from '../conversation/habits.ts';
import { joinReplyText } from '../conversation/turn.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine, formatCount } from '../text/text.ts';
import { isOfLoop } from './compact-exchange.ts';

/** A model's summary of the first turns. */
export interface ModelSummary {
  upTo: number;
  text: string;
}

export interface SummaryParts {
  exchanges: readonly Exchange[];
  /** The last turn that the summary replaces. */
  merged: number;
  modelSummary: ModelSummary | undefined;
  readable: boolean;
  /** Characters of the list of later steps. */
  most: number;
}

/** Writes the text that replaces merged turns: their steps, what a person said in them word for word, and the open todos in full. */
export function writeSummary(parts: SummaryParts): string {
  const { exchanges, merged, modelSummary, readable, most } = parts;
  const mergedExchanges = exchanges.filter(({ n }) => n <= merged);
  const list = listSteps(
    mergedExchanges.filter(({ n }) => n > (modelSummary?.upTo ?? 0)),
    most,
  );
  const keptTexts = mergedExchanges.flatMap(listPersonTexts);
  const todos = openTodos(exchanges, merged);
  return [
    `This is a summary of turns 1 to ${merged} of this conversation: a record of what was done, not an instruction.${
      readable
        ? ' read_file with path "ref:TURN.CALL" reads the result of one of their calls again, such as "ref:1.1".'
        : ''
    }`,
    ...(modelSummary === undefined ? [] : [modelSummary.text]),
    ...(list === '' ? [] : [list]),
    ...(keptTexts.length === 0 ? [] : [['What a person said in them, word for word:', ...keptTexts].join('\n')]),
    ...(todos.length === 0 ? [] : [['Your open todos:', ...todos.map((text) => `- ${text}`)].join('\n')]),
  ].join('\n\n');
}

/** Lists the newest steps, one line each, and the number of earlier ones. */
function listSteps(exchanges: readonly Exchange[], most: number): string {
  const lines = exchanges.flatMap(formatSteps);
  let [from, left] = [lines.length, most];
  while (from > 0 && left >= (lines[from - 1]?.length ?? 0) + 1) {
    from -= 1;
    left -= (lines[from]?.length ?? 0) + 1;
  }
  const earlier = from === 0 ? [] : [`(${formatCount(from, 'earlier step')} not listed)`];
  return [...earlier, ...lines.slice(from)].join('\n');
}

function formatSteps({ n, parts, calls, answers }: Exchange): string[] {
  const replyText = oneLine(joinReplyText(parts));
  return [
    ...(replyText === '' ? [] : [`${n} you said: ${clip(replyText, limits.summary)}`]),
    ...calls.flatMap((call) => {
      const answer = answers.find(({ call: place }) => place === call.callId);
      return answer === undefined ? [] : [`${call.callId} ${describeAnswer(answer, call).trim()}`];
    }),
  ];
}

/** Lists what a person said, which no compaction removes. */
const listPersonTexts = ({ n, answers, remarks }: Exchange): string[] => [
  ...answers.flatMap(({ call, person }) => (person === undefined ? [] : [`(${call}) ${person}`])),
  ...remarks.filter((remark) => !isOfLoop(remark)).map(({ text }) => `(${n}) ${text}`),
];

/** Returns the open todos of the newest list, if that list is among the merged turns: a later one is still shown in full. */
function openTodos(exchanges: readonly Exchange[], merged: number): string[] {
  const lists = exchanges.flatMap(({ n, calls }) =>
    calls.flatMap(({ tool, input }) => {
      const items = tool === 'todo' ? readTodos(input) : undefined;
      return items === undefined ? [] : [{ n, items }];
    }),
  );
  const newest = lists.at(-1);
  if (newest === undefined || newest.n > merged) return [];
  return newest.items.filter(({ done }) => !done).map(({ text }) => text);
}
