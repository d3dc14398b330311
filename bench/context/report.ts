import { number, table } from '../markdown.ts';
import type { ContextUse } from './lead.ts';

export interface ContextResults {
  turns: number;
  load: number;
  /** Nothing folded, in a window without end. */
  whole: ContextUse;
  folded: { context: number; use: ContextUse }[];
  /** The same windows, with summaries that a model writes. */
  summarised: { context: number; use: ContextUse }[];
}

/** As Markdown, heading included. */
export function contextSection({ turns, load, whole, folded, summarised }: ContextResults): string {
  const thousands = (tokens: number): string => number(tokens / 1_000, 0);
  const row = (name: string, use: ContextUse): string[] => [
    name,
    thousands(use.sent),
    number(use.sent / whole.sent, 2),
    thousands(use.sent - use.cached),
    thousands(use.largest),
    String(use.folds),
    priceOf(use),
    number(use.cpu / use.requests, 2),
  ];
  return [
    '## A long conversation',
    `Written by \`npm run bench -- context\` (load before the start: ${number(load)}). ${turns} turns, each of which reads 10 KB that no other has read, with a model that answers at once and no log on the disk; nothing folded in a window without end, beside what is folded in windows of two sizes, without a model for summaries and with one that writes as much as it may. Tokens by estimate, in thousands; "new" are those that are not the beginning of the request before, which providers cache. CPU is that of the loop, tools included, in milliseconds.`,
    table(
      [
        'window',
        'sent, k',
        'ratio',
        'new, k',
        'largest request, k',
        'folds',
        'summaries: calls, k in, k out',
        'CPU per turn, ms',
      ],
      [
        row('without end, `off`', whole),
        ...folded.map(({ context, use }) => row(`${thousands(context)} k, \`tiered\``, use)),
        ...summarised.map(({ context, use }) => row(`${thousands(context)} k, with a model`, use)),
      ],
    ),
    `What folding adds to a turn: ${folded.map(({ context, use }) => `${number(use.cpu / use.requests - whole.cpu / whole.requests, 2)} ms of CPU in ${thousands(context)} k`).join(', ')}.`,
    `What summaries by a model cost, in tokens of all requests: ${summarised.map(({ context, use }) => `${number((100 * summaryTokens(use)) / use.sent, 1)} % in ${thousands(context)} k`).join(', ')}.`,
  ].join('\n\n');
}

const summaryTokens = ({ summaries: { input, output } }: ContextUse): number => input + output;

function priceOf({ summaries: { calls, input, output } }: ContextUse): string {
  return calls === 0 ? 'none' : `${calls}, ${number(input / 1_000, 0)}, ${number(output / 1_000, 1)}`;
}
