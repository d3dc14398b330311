import { number, table } from '../markdown.ts';
import { Rig } from '../rig.ts';
import { recoveryAim, type Scope } from '../scope.ts';
import { median } from '../statistics.ts';
import { warmUp } from '../steps/measure-rounds.ts';
import { measureRecovery, type Recovery, type Victim, victims } from './measure.ts';

/** As a section of the report. */
export async function benchRecovery(scope: Scope): Promise<string> {
  const recoveries = await Rig.with(async (rig) => {
    await warmUp(rig);
    return measureRecovery(rig, scope.recoveries);
  });
  return [
    '## After kill -9',
    `Written by \`npm run bench -- recovery\`. While a question is open, worker, server or both are killed and started again; then the question is answered. Times are in milliseconds. The aim for restart and answer together is ${recoveryAim}.`,
    recoveryTable(recoveries),
  ].join('\n\n');
}

function recoveryTable(recoveries: readonly Recovery[]): string {
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
