import { number, table } from '../markdown.ts';
import type { ContextUse } from './lead.ts';

export interface ContextResults {
  turns: number;
  load: number;
  /** The use in a window without end, where nothing is compacted. */
  whole: ContextUse;
  compacted: { context: number; use: ContextUse }[];
  /** The same windows, with summaries that a model writes. */
  summarised: { context: number; use: ContextUse }[];
}

/** As Markdown, heading included. */
export function contextSection({ turns, load, whole, compacted, summarised }: ContextResults): string {
  const thousands = (tokens: number): string => number(tokens / 1_000, 0);
  const row = (name: string, use: ContextUse): string[] => [
    name,
    thousands(use.sent),
    number(use.sent / whole.sent, 2),
    thousands(use.sent - use.cached),
    thousands(use.largest),
    String(use.compactions),
    priceOf(use),
    number(use.cpu / use.requests, 2),
  ];
  return [
    '## A long conversation',
    `Written by \`npm run bench -- context\` (load before the start: ${number(load)}). Each of ${turns} turns reads 10 KB that no other turn has read. The model answers at once, and there is no log on the disk. The first row has a window without end, where nothing is compacted. The other rows have windows of two sizes, without a model for summaries, and with a model that writes as much as it may. Tokens are estimates, in thousands. "New" tokens are not part of the beginning of the request before, which providers cache. CPU is that of the loop, tools included, in milliseconds.`,
    table(
      [
        'window',
        'sent, k',
        'ratio',
        'new, k',
        'largest request, k',
        'compactions',
        'summaries: calls, k in, k out',
        'CPU per turn, ms',
      ],
      [
        row('without end, `off`', whole),
        ...compacted.map(({ context, use }) => row(`${thousands(context)} k, \`tiered\``, use)),
        ...summarised.map(({ context, use }) => row(`${thousands(context)} k, with a model`, use)),
      ],
    ),
    `Compaction adds to a turn: ${compacted.map(({ context, use }) => `${number(use.cpu / use.requests - whole.cpu / whole.requests, 2)} ms of CPU in ${thousands(context)} k`).join(', ')}.`,
    `Cost of summaries by a model, in tokens of all requests: ${summarised.map(({ context, use }) => `${number((100 * summaryTokens(use)) / use.sent, 1)} % in ${thousands(context)} k`).join(', ')}.`,
  ].join('\n\n');
}

const summaryTokens = ({ summaries: { input, output } }: ContextUse): number => input + output;

function priceOf({ summaries: { calls, input, output } }: ContextUse): string {
  return calls === 0 ? 'none' : `${calls}, ${number(input / 1_000, 0)}, ${number(output / 1_000, 1)}`;
}
