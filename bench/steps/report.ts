import { availableParallelism } from 'node:os';
import { sayCount } from '../../domain/text/text.ts';
import { number, table } from '../markdown.ts';
import { parallel, type Shape, shapes } from '../plans.ts';
import { aims, enoughRounds, type Scope, slopeFrom } from '../scope.ts';
import { percentile } from '../statistics.ts';
import type { Reaction } from './measure-reaction.ts';
import { type Run, type Side, sides } from './measure-runs.ts';
import { type Metric, metrics, perSubtask, slopes } from './summarise.ts';

export interface StepResults {
  scope: Scope;
  noop: Run[];
  program: Run[];
  reactions: Reaction[];
  /** Of the server. */
  version: string;
  minutes: number;
  /** Of the machine before the start: what else it had to do. */
  load: number;
}

/** As Markdown, heading included. */
export const stepSection = (results: StepResults): string =>
  [
    '## Steps',
    introduction(results),
    '### Cost of one more subtask',
    `Slope of the line of least squares through the medians from N = ${slopeFrom} on; the range is that of single rounds. CPU is that of the process.`,
    slopeTable(results),
    '### Does it grow with the plan?',
    growthTable(results),
    '### Cost per subtask, by size',
    'The whole run, from the start to the result at the client, divided by N: a small N shows what every task pays once (the plan is checked, completed and stored by `prepareTask`; the bare workflow finds it in the store).',
    sizeTable(results),
    '### With a real program',
    `The same with \`echo\` as a program: started in its own process group, recorded durably, its output kept, then verified. Node forks to start a program, which costs the worker more the more memory it holds. N = ${results.scope.programCount}.`,
    programTable(results),
    '### From a decision to the reaction',
    'An answer by Update: until the client has the receipt, and until the next attempt’s program has started. Milliseconds.',
    reactionTable(results),
  ].join('\n\n');

function introduction({ noop, scope, version, minutes, load }: StepResults): string {
  return [
    `Written by \`npm run bench -- steps\` (${scope.name}) in ${minutes.toFixed(1)} minutes on ${availableParallelism()} cores shared by server, worker and client (load before the start: ${number(load)}); Node ${process.versions.node}, Temporal ${version}, a dev server on a file with Heddle's own settings. Medians of ${sayCount(roundsOf(noop), 'round')}, both sides in turn on one server.`,
    `"Bare" is a workflow of a few lines that calls the same activities with the same options and inputs, and does nothing else; it has what Temporal does best: one worker on one queue, where the server starts activities eagerly. A subtask is three activities: \`composeCall\`, which reads from the store what the user's activity is told (a program needs none: it reads it itself), one that does nothing, and \`verifySubtask\`. A chain runs one after the other, wide runs ${parallel} at once.`,
  ].join('\n\n');
}

const metricNames: Record<Metric, string> = {
  ms: 'time, ms',
  workerCpu: 'worker CPU, ms',
  serverCpu: 'server CPU, ms',
  events: 'history events',
  bytes: 'history bytes',
};

function slopeTable({ noop }: StepResults): string {
  const rows = shapes.flatMap((shape) =>
    metrics.map((metric) => {
      const { bare, heddle, ratio, range } = slopes(noop, shape, metric);
      return [
        shape,
        metricNames[metric],
        number(bare),
        number(heddle),
        number(ratio, 2),
        range === undefined ? '' : `${number(range[0], 2)} to ${number(range[1], 2)}`,
        metric in aims ? judge(ratio, aims[metric as keyof typeof aims], noop) : '',
      ];
    }),
  );
  return table(
    [
      'shape',
      'per subtask',
      'bare',
      'Heddle',
      'ratio',
      'rounds',
      `aim ${aims.ms} of time, ${aims.workerCpu} of worker CPU`,
    ],
    rows,
  );
}

function growthTable({ noop, scope }: StepResults): string {
  const most = Math.max(...scope.counts);
  const rows = shapes.map((shape) => {
    const at = (count: number, side: Side, metric: Metric): number => perSubtask(noop, shape, count, metric)[side];
    const growth = (side: Side, metric: Metric): number => at(most, side, metric) / at(slopeFrom, side, metric);
    return [
      shape,
      number(at(slopeFrom, 'heddle', 'ms')),
      number(at(most, 'heddle', 'ms')),
      number(growth('heddle', 'ms'), 2),
      judge(growth('heddle', 'ms'), aims.ms, noop),
      number(growth('bare', 'ms'), 2),
      number(growth('heddle', 'workerCpu'), 2),
    ];
  });
  const head = ['shape', `Heddle, ms at ${slopeFrom}`, `at ${most}`, `${most} / ${slopeFrom}`, `aim ${aims.ms}`];
  return table([...head, 'the same of bare', 'of Heddle in worker CPU'], rows);
}

function sizeTable({ noop, scope }: StepResults): string {
  const rows = shapes.flatMap((shape) => scope.counts.map((count) => sizeRow(noop, shape, count)));
  return table(
    ['shape', 'N', 'bare ms', 'Heddle ms', 'ratio', 'bare events', 'Heddle events', 'bare bytes', 'Heddle bytes'],
    rows,
  );
}

function sizeRow(runs: Run[], shape: Shape, count: number): string[] {
  const ms = perSubtask(runs, shape, count, 'ms');
  const events = perSubtask(runs, shape, count, 'events');
  const bytes = perSubtask(runs, shape, count, 'bytes');
  return [
    shape,
    String(count),
    number(ms.bare),
    number(ms.heddle),
    number(ms.ratio, 2),
    number(events.bare),
    number(events.heddle),
    number(bytes.bare, 0),
    number(bytes.heddle, 0),
  ];
}

function programTable({ program, scope }: StepResults): string {
  const rows = shapes.flatMap((shape) =>
    metrics.map((metric) => {
      const { bare, heddle, ratio } = perSubtask(program, shape, scope.programCount, metric);
      return [shape, metricNames[metric], number(bare), number(heddle), number(ratio, 2)];
    }),
  );
  return table(['shape', 'per subtask', 'bare', 'Heddle', 'ratio'], rows);
}

function reactionTable({ reactions }: StepResults): string {
  const of = (side: Side, pick: (reaction: Reaction) => number): number[] =>
    reactions.filter((reaction) => reaction.side === side).map(pick);
  const answered = (reaction: Reaction): number => reaction.answered;
  const reacted = (reaction: Reaction): number => reaction.reacted;
  const rows = sides.map((side) => [
    side === 'bare' ? 'bare' : 'Heddle',
    ...[answered, reacted].flatMap((pick) => [0.5, 0.95].map((share) => number(percentile(of(side, pick), share), 0))),
    String(of(side, answered).length),
  ]);
  const ratios = [answered, reacted].flatMap((pick) =>
    [0.5, 0.95].map((share) => number(percentile(of('heddle', pick), share) / percentile(of('bare', pick), share), 2)),
  );
  return table(
    ['', 'receipt p50', 'p95', 'program started p50', 'p95', 'times'],
    [...rows, [`ratio (aim ${aims.receipt} for the receipt’s p95)`, ...ratios, '']],
  );
}

/** On a busy machine single rounds differ by half: a verdict from one or two of them would be a guess. */
const judge = (ratio: number, aim: number, runs: readonly Run[]): string =>
  roundsOf(runs) < enoughRounds ? 'too few rounds' : ratio <= aim ? 'met' : 'missed';

const roundsOf = (runs: readonly Run[]): number => new Set(runs.map(({ round }) => round)).size;
