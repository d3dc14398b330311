import { availableParallelism } from 'node:os';
import { number, table } from '../markdown.ts';
import { parallel, shapes } from '../plans.ts';
import { aims, aimsFrom, enoughRounds, type Scope, type Size } from '../scope.ts';
import { percentile } from '../statistics.ts';
import { type Asker, askers, type Reaction, uncounted } from './measure-reaction.ts';
import type { Run, Side } from './measure-runs.ts';
import { growth, perSubtask } from './summarise.ts';

export interface StepResults {
  scope: Scope;
  noop: Run[];
  program: Run[];
  reactions: Reaction[];
  /** CPU of the server. */
  version: string;
  minutes: number;
  /** Load of the machine before the start: what else it had to do. */
  load: number;
}

/** As Markdown, heading included. */
export const stepSection = (results: StepResults): string =>
  [
    '## Steps',
    introduction(results),
    '### Cost of a subtask',
    `The time of a whole run, from the start to the result at the client, divided by N. Both sides of a round run one after the other. The ratio is the median of the ratios of the rounds, and the range is that of single rounds. CPU is the CPU time of the process. A small N shows what every task pays once: \`prepareTask\` checks, completes and stores the plan, which the bare workflow finds in the store. The aims are therefore for N = ${aimsFrom} and more.`,
    costTable(results.noop, results.scope.steps),
    '### Growth with the plan',
    growthTable(results),
    '### Events and bytes in the history',
    historyTable(results),
    '### With a real program',
    `The same with \`echo\` as a program. It is started in its own process group and recorded durably, its output is kept, and then it is verified. Node forks to start a program. The more memory a worker holds, the more this costs.`,
    costTable(results.program, [results.scope.program]),
    '### From a decision to the reaction',
    `The time from an answer by Update until the client has the receipt, and until the program of the next attempt has started, in milliseconds. Nothing else is under way, and the first ${uncounted} of each are not counted. A task that waits shows this in search attributes, so that people can find it. The second bare workflow sets one search attribute too. The server then writes to its list of workflows while the receipt is on its way.`,
    reactionTable(results),
  ].join('\n\n');

function introduction({ scope, version, minutes, load }: StepResults): string {
  return [
    `Written by \`npm run bench -- steps\` (${scope.name}) in ${minutes.toFixed(1)} minutes on ${availableParallelism()} cores that server, worker and client share (load before the start: ${number(load)}). Node ${process.versions.node}, Temporal ${version}, a dev server on a file with Heddle's own settings. Both sides run in turn on one server and one worker process.`,
    `"Bare" is a workflow of a few lines that only calls the same activities with the same options and inputs. It has the best case of Temporal: one worker on one queue, where the server starts activities eagerly. A subtask has three activities: \`composeCall\`, an activity that does nothing, and \`verifySubtask\`. \`composeCall\` reads the input of a user's activity from the store; a program does not need it. A chain runs its subtasks one after the other, a wide plan runs ${parallel} at once.`,
  ].join('\n\n');
}

const costs = { ms: 'time, ms', workerCpu: 'worker CPU, ms', serverCpu: 'server CPU, ms' } as const;

function costTable(runs: readonly Run[], sizes: readonly Size[]): string {
  const rows = shapes.flatMap((shape) =>
    sizes.flatMap(({ count }) =>
      (Object.keys(costs) as (keyof typeof costs)[]).map((metric) => {
        const { bare, heddle, ratio, range, rounds } = perSubtask(runs, { shape, count }, metric);
        const aim = metric === 'serverCpu' || count < aimsFrom ? undefined : aims[metric];
        return [
          shape,
          String(count),
          costs[metric],
          number(bare),
          number(heddle),
          number(ratio, 2),
          `${number(range[0], 2)} to ${number(range[1], 2)} (${rounds})`,
          aim === undefined ? '' : judge(ratio, aim, rounds),
        ];
      }),
    ),
  );
  const aim = `aim ${aims.ms} of time, ${aims.workerCpu} of worker CPU`;
  return table(['shape', 'N', 'per subtask', 'bare', 'Heddle', 'ratio', 'rounds', aim], rows);
}

function growthTable({ noop, scope }: StepResults): string {
  const to = Math.max(...scope.steps.map(({ count }) => count));
  const rows = shapes.flatMap((shape) =>
    (['ms', 'workerCpu'] as const).map((metric) => {
      const of = (side: Side) => growth(noop, { side, shape, from: aimsFrom, to }, metric);
      const { ratio, rounds } = of('heddle');
      return [shape, costs[metric], number(of('bare').ratio, 2), number(ratio, 2), judge(ratio, aims.growth, rounds)];
    }),
  );
  const of = `per subtask, at ${to} / at ${aimsFrom}`;
  return table(['shape', of, 'bare', 'Heddle', `aim ${aims.growth}`], rows);
}

function historyTable({ noop, scope }: StepResults): string {
  const rows = shapes.flatMap((shape) =>
    scope.steps.map(({ count }) => {
      const events = perSubtask(noop, { shape, count }, 'events');
      const bytes = perSubtask(noop, { shape, count }, 'bytes');
      return [
        shape,
        String(count),
        number(events.bare),
        number(events.heddle),
        number(bytes.bare, 0),
        number(bytes.heddle, 0),
      ];
    }),
  );
  return table(['shape', 'N', 'bare events', 'Heddle events', 'bare bytes', 'Heddle bytes'], rows);
}

const askerNames: Record<Asker, string> = {
  bare: 'bare',
  findable: 'bare, with one search attribute',
  heddle: 'Heddle',
};

function reactionTable({ reactions }: StepResults): string {
  const of = (side: Asker, pick: (reaction: Reaction) => number): number[] =>
    reactions.filter((reaction) => reaction.side === side).map(pick);
  const answered = (reaction: Reaction): number => reaction.answered;
  const reacted = (reaction: Reaction): number => reaction.reacted;
  const columns = [answered, reacted].flatMap((pick) => [0.5, 0.95].map((share) => ({ pick, share })));
  const rows = askers.map((side) => [
    askerNames[side],
    ...columns.map(({ pick, share }) => number(percentile(of(side, pick), share))),
    String(of(side, answered).length),
  ]);
  const ratios = (to: Asker): string[] =>
    columns.map(({ pick, share }) =>
      number(percentile(of('heddle', pick), share) / percentile(of(to, pick), share), 2),
    );
  return table(
    ['', 'receipt p50', 'p95', 'program started p50', 'p95', 'times'],
    [
      ...rows,
      [`Heddle to bare (aim ${aims.receipt} for the receipt’s p95)`, ...ratios('bare'), ''],
      ['Heddle to bare with one search attribute', ...ratios('findable'), ''],
    ],
  );
}

/** On a busy machine single rounds differ by half: a verdict from one or two of them would be a guess. */
const judge = (ratio: number, aim: number, rounds: number): string =>
  rounds < enoughRounds ? 'too few rounds' : ratio <= aim ? 'met' : 'missed';
