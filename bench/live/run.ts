import { number, table } from '../markdown.ts';
import { Rig } from '../rig.ts';
import { liveAims, type Scope } from '../scope.ts';
import { median } from '../statistics.ts';
import { warmUp } from '../steps/measure-rounds.ts';
import { measureWatched, type Watched } from './measure.ts';

/** Readers of one task; none is what the task takes by itself. */
const crowds = [0, 1, 40, 200];

/** As a section of the report. */
export async function benchLive(scope: Scope): Promise<string> {
  const { count, rounds } = scope.watched;
  const watched = await Rig.with(async (rig) => {
    await warmUp(rig);
    const all: Watched[] = [];
    for (let round = 1; round <= rounds; round += 1)
      // In turn, so that a slow minute of the machine meets all of them.
      for (const readers of crowds) all.push(await measureWatched(rig, { readers, round, count }));
    return all;
  });
  if (!watched.every(({ isGapless }) => isGapless)) throw new Error('a reader missed an event');
  const { ratio, lag } = liveAims;
  return [
    '## Live events',
    `Written by \`npm run bench -- live\` (${scope.name}): a chain of ${count} subtasks that do nothing, while readers follow its events by HTTP from an API in a process of its own. Readers, task and server share the machine. Every reader got every event. Medians of ${rounds} rounds; the ratio is of the rounds. The aims for 200 readers: the task within ${ratio} of its own time, and 95 of 100 events within ${lag} ms. The heap is what is left after a collection while all are connected, at the first quarter of the task and at its end.`,
    table(
      [
        'readers',
        'time, s',
        'ratio to none',
        'calls to the server',
        'API CPU, s',
        'lag p50, ms',
        'lag p95, ms',
        'heap, MB',
      ],
      crowds.map((readers) => row(watched, readers)),
    ),
  ].join('\n\n');
}

function row(all: readonly Watched[], readers: number): string[] {
  const some = all.filter((each) => each.readers === readers);
  const alone = (round: number): number => all.find((each) => each.readers === 0 && each.round === round)?.ms ?? NaN;
  const heap = (part: number): number =>
    median(some.map(({ heaps }) => (heaps[Math.floor((heaps.length - 1) * part)] ?? NaN) / 1e6));
  const lags = some.flatMap((each) => each.lags).toSorted((a, b) => a - b);
  const lag = (share: number): number => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? NaN;
  return [
    String(readers),
    number(median(some.map(({ ms }) => ms)) / 1_000, 2),
    number(median(some.map(({ ms, round }) => ms / alone(round))), 2),
    number(median(some.map(({ calls }) => calls)), 0),
    number(median(some.map(({ apiCpu = NaN }) => apiCpu)) / 1_000, 2),
    number(lag(0.5), 0),
    number(lag(0.95), 0),
    readers === 0 ? '' : `${number(heap(0.25))} to ${number(heap(1))}`,
  ];
}
