import { availableParallelism } from 'node:os';
import { number, table } from '../markdown.ts';
import type { SizeRun } from './measure.ts';

/** The most that one subtask of the largest plan may cost, against one of the smallest. */
const aim = 1.2;

/** As Markdown, heading included. `runs` go from the smallest plan to the largest. */
export function sizeSection(runs: readonly SizeRun[]): string {
  const rows: [string, (run: SizeRun) => string][] = [
    ['time per subtask, ms', (run) => number(run.ms / run.count)],
    ['worker CPU per subtask, ms', (run) => number((run.workerCpu ?? NaN) / run.count)],
    ['server CPU per subtask, ms', (run) => number((run.serverCpu ?? NaN) / run.count)],
    ['load of the machine, other work included', (run) => number(run.load)],
    ['runs of the workflow', (run) => String(run.runs.length)],
    ['history events, by run', (run) => run.runs.map(({ events }) => events).join(', ')],
    ['history, kB by run', (run) => run.runs.map(({ bytes }) => kilobytes(bytes)).join(', ')],
    [
      'carried state, kB',
      (run) => run.runs.flatMap(({ carried }) => (carried === null ? [] : kilobytes(carried))).join(', '),
    ],
    ['largest value in a history, kB', ({ largest }) => `${kilobytes(largest.bytes)} (${nameOf(largest.where)})`],
    ...Object.keys(runs[0]?.answers ?? {}).map((name): [string, (run: SizeRun) => string] => [
      `largest answer of \`${name}\`, kB`,
      ({ answers }) => kilobytes(answers[name] ?? NaN),
    ]),
    ['worker memory at its highest, MB', (run) => number((run.workerMemory ?? NaN) / 1024 ** 2, 0)],
  ];
  const head = ['', ...runs.map(({ count }) => `${count} subtasks`)];
  return [
    '## Size',
    `Written by \`npm run bench -- size\` on ${availableParallelism()} cores. Every subtask fails once and then passes, 10 at once. There is one question after half of them and one at the end, each with a new run of the workflow before its answer. Each size has its own server and worker, which run a task of 50 subtasks first.`,
    table(
      head,
      rows.map(([name, of]) => [name, ...runs.map(of)]),
    ),
    growth(runs),
  ].join('\n\n');
}

function growth(runs: readonly SizeRun[]): string {
  const [least, most] = [runs[0], runs.at(-1)];
  if (least === undefined || most === undefined || least === most) return '';
  const ratio = (of: (run: SizeRun) => number): number => of(most) / most.count / (of(least) / least.count);
  const formatFactor = (value: number): string => `${number(value, 2)} (${value <= aim ? 'met' : 'missed'})`;
  const time = ratio(({ ms }) => ms);
  const cpu = ratio(({ workerCpu }) => workerCpu ?? NaN);
  return `Cost of a subtask at ${most.count} against ${least.count}, aim ${aim}: time ${formatFactor(time)}, worker CPU ${formatFactor(cpu)}.`;
}

/** `activityTaskCompletedEventAttributes` in words. */
const nameOf = (attributes: string): string =>
  attributes
    .replace(/EventAttributes$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();

const kilobytes = (bytes: number): string => number(bytes / 1000, bytes < 10_000 ? 1 : 0);
