import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { sayCount } from '../domain/text/text.ts';
import type { Reaction } from './measure-reaction.ts';
import { type Recovery, type Victim, victims } from './measure-recovery.ts';
import { type Run, type Side, sides } from './measure-runs.ts';
import type { SnapshotResults } from './measure-snapshots.ts';
import { parallel, type Shape, shapes } from './plans.ts';
import { replaceSection, snapshotSection } from './report-snapshots.ts';
import { aim, enoughRounds, recoveryAim, type Scope, slopeFrom } from './scope.ts';
import { sizeHeading } from './size/report.ts';
import { median, percentile } from './statistics.ts';
import { type Metric, metrics, perSubtask, slopes } from './summarise.ts';

export interface Results {
  scope: Scope;
  noop: Run[];
  program: Run[];
  reactions: Reaction[];
  recoveries: Recovery[];
  snapshots: SnapshotResults;
  /** Of the server. */
  version: string;
  minutes: number;
  /** Of the machine before the start: what else it had to do. */
  load: number;
}

const target = join(import.meta.dirname, '..', 'docs', 'bench.md');

export async function buildReport(results: Results): Promise<string> {
  const text = [
    '# Bench',
    introduction(results),
    '## Cost of one more subtask',
    `Slope of the line of least squares through the medians from N = ${slopeFrom} on; the range is that of single rounds. CPU is that of the process.`,
    slopeTable(results),
    '## Does it grow with the plan?',
    growthTable(results),
    '## Cost per subtask, by size',
    'The whole run, from the start to the result at the client, divided by N: a small N shows what every task pays once (the plan is checked, completed and stored by `prepareTask`; the bare workflow finds it in the store).',
    sizeTable(results),
    '## With a real program',
    `The same with \`echo\` as a program: started in its own process group, recorded durably, its output kept, then verified. Node forks to start a program, which costs the worker more the more memory it holds. N = ${results.scope.programCount}.`,
    programTable(results),
    '## From a decision to the reaction',
    'An answer by Update: until the client has the receipt, and until the next attempt’s program has started. Milliseconds.',
    reactionTable(results),
    '## After kill -9',
    `While a question is open, worker, server or both are killed and started again; then the question is answered. Milliseconds; the aim for restart and answer together is ${recoveryAim}.`,
    recoveryTable(results),
    snapshotSection(results.snapshots),
  ].join('\n\n');
  return formatReport(text);
}

const formatReport = (text: string): Promise<string> => format(text, { parser: 'markdown', printWidth: 120 });

/** The report as it stands, with a new section in it. */
export function updateReport(section: string): Promise<string> {
  return formatReport(replaceSection(readFileSync(target, 'utf8'), section));
}

/** What is measured by a command of its own stays. */
export function writeReport(text: string): void {
  const parts = readFileSync(target, 'utf8').split(/^(?=## )/m);
  const size = parts.find((part) => part.startsWith(`${sizeHeading}\n`));
  writeFileSync(target, size === undefined || text.includes(`\n${sizeHeading}\n`) ? text : replaceSection(text, size));
}

function introduction({ noop, scope, version, minutes, load }: Results): string {
  return [
    `Written by \`npm run bench\` (${scope.name}) in ${minutes.toFixed(1)} minutes on ${availableParallelism()} cores shared by server, worker and client (load before the start: ${number(load)}); Node ${process.versions.node}, Temporal ${version}, a dev server on a file with Heddle's own settings. Medians of ${sayCount(roundsOf(noop), 'round')}, both sides in turn on one server and one worker.`,
    `"Bare" is a workflow of a few lines that calls the same activities with the same options and inputs, and does nothing else. A subtask is three activities: \`composeCall\`, which reads from the store what the user's activity is told (a program needs none: it reads it itself), one that does nothing, on a queue of the user's, and \`verifySubtask\`. A chain runs one after the other, wide runs ${parallel} at once.`,
    'Absolute numbers depend on the machine and on what else it does; the ratios are what is promised.',
  ].join('\n\n');
}

const metricNames: Record<Metric, string> = {
  ms: 'time, ms',
  workerCpu: 'worker CPU, ms',
  serverCpu: 'server CPU, ms',
  events: 'history events',
  bytes: 'history bytes',
};

function slopeTable({ noop }: Results): string {
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
        metric === 'ms' ? judge(ratio, noop) : '',
      ];
    }),
  );
  return table(['shape', 'per subtask', 'bare', 'Heddle', 'ratio', 'rounds', `aim ${aim}`], rows);
}

function growthTable({ noop, scope }: Results): string {
  const most = Math.max(...scope.counts);
  const rows = shapes.map((shape) => {
    const at = (count: number, side: Side, metric: Metric): number => perSubtask(noop, shape, count, metric)[side];
    const growth = (side: Side, metric: Metric): number => at(most, side, metric) / at(slopeFrom, side, metric);
    return [
      shape,
      number(at(slopeFrom, 'heddle', 'ms')),
      number(at(most, 'heddle', 'ms')),
      number(growth('heddle', 'ms'), 2),
      judge(growth('heddle', 'ms'), noop),
      number(growth('bare', 'ms'), 2),
      number(growth('heddle', 'workerCpu'), 2),
    ];
  });
  const head = ['shape', `Heddle, ms at ${slopeFrom}`, `at ${most}`, `${most} / ${slopeFrom}`, `aim ${aim}`];
  return table([...head, 'the same of bare', 'of Heddle in worker CPU'], rows);
}

function sizeTable({ noop, scope }: Results): string {
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

function programTable({ program, scope }: Results): string {
  const rows = shapes.flatMap((shape) =>
    metrics.map((metric) => {
      const { bare, heddle, ratio } = perSubtask(program, shape, scope.programCount, metric);
      return [shape, metricNames[metric], number(bare), number(heddle), number(ratio, 2)];
    }),
  );
  return table(['shape', 'per subtask', 'bare', 'Heddle', 'ratio'], rows);
}

function reactionTable({ reactions }: Results): string {
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
  return table(['', 'receipt p50', 'p95', 'program started p50', 'p95', 'times'], [...rows, ['ratio', ...ratios, '']]);
}

function recoveryTable({ recoveries }: Results): string {
  const row = (victim: Victim): string[] => {
    const some = recoveries.filter((recovery) => recovery.victim === victim);
    const whole = some.map(({ restarted, answered }) => restarted + answered);
    return [
      victim === 'both' ? 'server and worker' : victim,
      number(median(some.map(({ restarted }) => restarted)), 0),
      number(median(some.map(({ answered }) => answered)), 0),
      number(median(some.map(({ reacted }) => reacted)), 0),
      number(median(whole), 0),
      number(Math.max(...whole), 0),
      String(some.length),
    ];
  };
  return table(
    ['killed', 'restart', 'receipt', 'program started', 'restart and receipt', 'slowest', 'times'],
    victims.map(row),
  );
}

/** On a busy machine single rounds differ by half: a verdict from one or two of them would be a guess. */
const judge = (ratio: number, runs: readonly Run[]): string =>
  roundsOf(runs) < enoughRounds ? 'too few rounds' : ratio <= aim ? 'met' : 'missed';

const roundsOf = (runs: readonly Run[]): number => new Set(runs.map(({ round }) => round)).size;

/** NaN: the system does not say. */
function number(value: number, digits = 1): string {
  return Number.isFinite(value) ? value.toFixed(digits) : 'n/a';
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
