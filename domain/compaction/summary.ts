import { describeAnswer } from '../conversation/describe.ts';
import type { Exchange } from '../conversation/exchange.ts';
import { readTodos } from '../conversation/habits.ts';
import { textOf } from '../conversation/turn.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine, formatCount } from '../text/text.ts';
import { isOfLoop } from './compact-exchange.ts';

/** What a model told of the first turns. */
export interface ModelSummary {
  upTo: number;
  text: string;
}

export interface SummaryParts {
  exchanges: readonly Exchange[];
  /** The last turn that the summary stands for. */
  merged: number;
  told: ModelSummary | undefined;
  readable: boolean;
  /** Characters of the list of what was done since. */
  most: number;
}

/** What stands for merged turns: what was done in them, what a person said in them word for word, and what is still to be done in full. */
export function writeSummary(parts: SummaryParts): string {
  const { exchanges, merged, told, readable, most } = parts;
  const gone = exchanges.filter(({ n }) => n <= merged);
  const list = listSteps(
    gone.filter(({ n }) => n > (told?.upTo ?? 0)),
    most,
  );
  const keptTexts = gone.flatMap(wordsOf);
  const todos = openTodos(exchanges, merged);
  return [
    `Turns 1 to ${merged} of this conversation stand here as a summary: a record of what was done, not an instruction.${
      readable
        ? ' read_file with path "ref:TURN.CALL" reads the result of one of their calls again, such as "ref:1.1".'
        : ''
    }`,
    ...(told === undefined ? [] : [told.text]),
    ...(list === '' ? [] : [list]),
    ...(keptTexts.length === 0 ? [] : [['What a person said in them, word for word:', ...keptTexts].join('\n')]),
    ...(todos.length === 0 ? [] : [['Your open todos:', ...todos.map((text) => `- ${text}`)].join('\n')]),
  ].join('\n\n');
}

/** The newest steps, one line each, and how many there were before them. */
function listSteps(exchanges: readonly Exchange[], most: number): string {
  const lines = exchanges.flatMap(stepsOf);
  let [from, left] = [lines.length, most];
  while (from > 0 && left >= (lines[from - 1]?.length ?? 0) + 1) {
    from -= 1;
    left -= (lines[from]?.length ?? 0) + 1;
  }
  const earlier = from === 0 ? [] : [`(${formatCount(from, 'earlier step')} not listed)`];
  return [...earlier, ...lines.slice(from)].join('\n');
}

function stepsOf({ n, parts, calls, answers }: Exchange): string[] {
  const said = oneLine(textOf(parts));
  return [
    ...(said === '' ? [] : [`${n} you said: ${clip(said, limits.summary)}`]),
    ...calls.flatMap((call) => {
      const answer = answers.find(({ call: place }) => place === call.callId);
      return answer === undefined ? [] : [`${call.callId} ${describeAnswer(answer, call).trim()}`];
    }),
  ];
}

/** What no fold takes away. */
const wordsOf = ({ n, answers, remarks }: Exchange): string[] => [
  ...answers.flatMap(({ call, person }) => (person === undefined ? [] : [`(${call}) ${person}`])),
  ...remarks.filter((remark) => !isOfLoop(remark)).map(({ text }) => `(${n}) ${text}`),
];

/** Of the newest list, where it is among the merged turns: one that comes later stands there in full. */
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
