import type { SnapshotCase, SnapshotResults, SnapshotSide } from './measure.ts';
import { snapshotCases } from './measure.ts';
import { table } from '../markdown.ts';
import { enoughRounds, snapshotAim } from '../scope.ts';
import { median } from '../statistics.ts';

const snapshotHeading = '## Snapshot of a workspace';

/** As Markdown, heading included. */
export function snapshotSection({ files, load, first, runs }: SnapshotResults): string {
  const rounds = new Set(runs.map(({ round }) => round)).size;
  const of = (about: SnapshotCase, side: SnapshotSide): number[] =>
    runs.filter((run) => run.about === about && run.side === side).map(({ ms }) => ms);
  const rows = snapshotCases.map((about) => {
    const [status, snapshot] = [of(about, 'git status'), of(about, 'snapshot')];
    const ratio = median(snapshot) / median(status);
    const ratios = snapshot.map((ms, index) => ms / (status[index] ?? NaN));
    const verdict = rounds < enoughRounds ? 'too few rounds' : ratio <= snapshotAim ? 'met' : 'missed';
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [about, median(status).toFixed(0), median(snapshot).toFixed(0), ratio.toFixed(2), range, verdict];
  });
  const head = ['', '`git status`, ms', 'snapshot, ms', 'ratio', 'rounds', `aim ${snapshotAim}`];
  return [
    snapshotHeading,
    `Written by \`npm run bench -- snapshots\`. The work tree has ${files} files (load before the start: ${load.toFixed(1)}). Heddle takes a snapshot before and after an attempt: files, tree and journal, durable when it returns. The table compares it with \`git status\` in a user's repository with the same files. Both run in turn after the same number of changes. The numbers are medians of ${rounds} rounds, and the range is that of single rounds. The first snapshot takes in every file: ${(first / 1_000).toFixed(1)} s.`,
    table(head, rows),
  ].join('\n\n');
}
