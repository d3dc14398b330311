import { number, table } from '../markdown.ts';
import { enoughRounds, turnAims } from '../scope.ts';
import { median } from '../statistics.ts';
import type { TurnResults, TurnRound, TurnStep } from './measure.ts';

const turnHeading = '## A durable turn';

/** Turns at the beginning and at the end that are compared; the very first ones are still being compiled. */
const window = 20;

/** As Markdown, heading included. */
export function turnSection({ turns, load, rounds, tokens }: TurnResults): string {
  const all = summarise(rounds);
  const each = rounds.map((round) => summarise([round]));
  const growth = { durable: growthOf(rounds, 'durable'), memory: growthOf(rounds, 'memory') };
  const range = (pick: (summary: Summary) => number): string => {
    const values = each.map(pick);
    return `${number(Math.min(...values), 2)} to ${number(Math.max(...values), 2)}`;
  };
  const verdict = (value: number, most: number): string =>
    rounds.length < enoughRounds ? 'too few rounds' : value <= most ? 'met' : 'missed';
  const { added, replaced, appended } = all;
  return [
    turnHeading,
    `Written by \`npm run bench -- turns\` (load before the start: ${number(load)}). An agent's loop runs ${turns} turns; its model answers at once, with 20 KB and one call that reads a file. The loop runs once with its conversation in memory, and once as in Heddle. Heddle appends each turn to the log, syncs it, and looks up the owner of the attempt after each line. The numbers are medians over the turns of ${rounds.length} rounds. All variants take each turn one after the other, so that other work of the machine affects all alike. The range is that of single rounds.`,
    table(
      ['per turn', 'ms'],
      [
        ['loop in memory', number(all.memory, 2)],
        ['loop with its log on the disk', number(all.durable, 2)],
        ['what the log adds', number(added, 2)],
        ['one durable write of 20 KB: a new file, synced, takes the name, folder synced', number(replaced, 2)],
        ['one durable append of 20 KB: fdatasync', number(appended, 2)],
      ],
    ),
    table(
      ['', 'ratio', 'rounds', 'limit', ''],
      [
        [
          'what the log adds / one durable write',
          number(added / replaced, 2),
          range((one) => one.added / one.replaced),
          number(turnAims.write),
          verdict(added / replaced, turnAims.write),
        ],
        [
          'the same / one durable append',
          number(added / appended, 2),
          range((one) => one.added / one.appended),
          '',
          '',
        ],
        [
          `a turn around ${turns} / around ${window}, on the disk`,
          number(growth.durable, 2),
          '',
          number(turnAims.growth),
          verdict(growth.durable, turnAims.growth),
        ],
        ['the same in memory', number(growth.memory, 2), '', '', ''],
      ],
    ),
    `Besides its conversation, every call carries ${tokens.system} tokens of system text and ${tokens.schemas} tokens of tool schemas, by estimate.`,
  ].join('\n\n');
}

interface Summary extends Record<TurnStep, number> {
  added: number;
}

function summarise(rounds: readonly TurnRound[]): Summary {
  const of = (step: TurnStep): number => median(rounds.flatMap((round) => round[step]));
  const [memory, durable] = [of('memory'), of('durable')];
  return { memory, durable, added: durable - memory, replaced: of('replaced'), appended: of('appended') };
}

/** The last turns against those around the twentieth. */
function growthOf(rounds: readonly TurnRound[], side: TurnStep): number {
  const at = (from: number, to?: number): number => median(rounds.flatMap((round) => round[side].slice(from, to)));
  return at(-window) / at(window / 2, (window * 3) / 2);
}
