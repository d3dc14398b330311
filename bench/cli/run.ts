import { availableParallelism, loadavg } from 'node:os';
import { number, table } from '../markdown.ts';
import { stopwatch } from '../stopwatch.ts';
import type { Scope } from '../scope.ts';
import { percentile } from '../statistics.ts';
import { Installed } from './installed.ts';
import { CliBench, type CommandCost, type RunTimes } from './measure.ts';

/** As a section of the report. */
export async function benchCli({ commands: times }: Scope): Promise<string> {
  const { report } = stopwatch();
  const load = loadavg()[0] ?? NaN;
  const installed = new Installed();
  try {
    report('a service');
    const bench = new CliBench(installed, times);
    report('commands');
    const commands = await bench.commands();
    report('run');
    return cliSection(times, load, commands, await bench.runs());
  } finally {
    installed.remove();
  }
}

function cliSection(times: number, load: number, commands: CommandCost[], runs: RunTimes[]): string {
  return [
    '## Command line',
    `Written by \`npm run bench -- cli\` on ${availableParallelism()} cores (load before the start: ${number(load)}). Node ${process.versions.node}, Heddle as npm installs it. The numbers are milliseconds of CPU, medians of ${times}; both sides run in turn. \`--version\` and \`--help\` run beside a script that imports commander and does nothing. The others run beside a script that imports the Temporal client and makes the same calls.`,
    commandTable(commands),
    '`heddle run` starts a plan with one subtask on a running service, beside a script that starts the same workflow with the Temporal client. The numbers are milliseconds from the start of the process to its first line, and to the start of the program.',
    runTable(runs),
  ].join('\n\n');
}

const commandTable = (commands: CommandCost[]): string =>
  table(
    ['command', 'bare', 'Heddle', 'ratio', 'aim', ''],
    commands.map(({ command, bare, heddle, aim }) => [
      `\`${command}\``,
      number(bare, 0),
      number(heddle, 0),
      number(heddle / bare, 2),
      String(aim),
      heddle / bare <= aim ? 'met' : 'missed',
    ]),
  );

function runTable(runs: RunTimes[]): string {
  const of = (side: RunTimes['side'], what: 'firstLine' | 'program', share: number): string =>
    number(
      percentile(
        runs.filter((run) => run.side === side).map((run) => run[what]),
        share,
      ),
      0,
    );
  const row = (side: RunTimes['side']): string[] => [
    side === 'bare' ? 'bare' : 'Heddle',
    ...(['firstLine', 'program'] as const).flatMap((what) => [of(side, what, 0.5), of(side, what, 0.95)]),
  ];
  return table(['', 'first line p50', 'p95', 'program started p50', 'p95'], [row('bare'), row('heddle')]);
}
