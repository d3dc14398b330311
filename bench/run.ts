import { loadavg } from 'node:os';
import { measureReaction } from './measure-reaction.ts';
import { measureRecovery } from './measure-recovery.ts';
import { measureRounds, warmUp } from './measure-rounds.ts';
import type { Run } from './measure-runs.ts';
import { measureSnapshots } from './measure-snapshots.ts';
import { snapshotSection } from './report-snapshots.ts';
import { Rig } from './rig.ts';
import { full, quick } from './scope.ts';
import { benchSize } from './size/run.ts';
import { buildReport, updateReport, writeReport } from './write-report.ts';

const usage = `npm run bench [-- --quick] [-- --snapshots] [-- --write]
npm run bench -- size [subtasks...] [--write]
  size      only tasks of 200 and of 2000 subtasks, or of these numbers of them
  --quick   small sizes only, about a minute; writes nothing unless --write is given
  --snapshots   only the snapshots of a workspace
  --write   writes docs/bench.md (a full run always does)`;

const known = ['--quick', '--snapshots', '--write'];
const given = process.argv.slice(2);
if (given[0] === 'size') {
  const section = await benchSize(given.slice(1).filter((argument) => argument !== '--write'));
  console.log(section);
  if (given.includes('--write')) writeReport(await updateReport(section));
  process.exit(0);
}
if (given.some((argument) => !known.includes(argument))) {
  console.error(usage);
  process.exit(2);
}
const scope = given.includes('--quick') ? quick : full;
const writes = scope === full || given.includes('--write');

if (given.includes('--snapshots')) {
  const snapshots = await measureSnapshots(scope.snapshotFiles, scope.snapshotRounds);
  console.log(snapshotSection(snapshots));
  if (given.includes('--write')) writeReport(await updateReport(snapshotSection(snapshots)));
  process.exit(0);
}

const begun = performance.now();
const say = (text: string): void => console.error(`${((performance.now() - begun) / 1000).toFixed(0)} s  ${text}`);
const onRun = ({ side, shape, kind, count, ms }: Run): void =>
  say(`${side} ${shape} of ${count} (${kind}): ${(ms / count).toFixed(1)} ms per subtask`);

const load = loadavg()[0] ?? NaN;
// First: to start git from a process that holds the rest of the bench would cost more than the snapshot.
say('snapshots of a workspace');
const snapshots = await measureSnapshots(scope.snapshotFiles, scope.snapshotRounds);
const starting = Rig.start();
const interrupt = (): void => void starting.then((started) => started.stop()).finally(() => process.exit(130));
process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
const rig = await starting;
try {
  await warmUp(rig);
  const noop = await measureRounds(rig, { kind: 'noop', ...scope, onRun });
  const program = await measureRounds(rig, {
    kind: 'program',
    counts: [scope.programCount],
    rounds: scope.programRounds,
    budget: scope.programBudget,
    onRun,
  });
  say('from a decision to the reaction');
  const reactions = await measureReaction(rig, scope.reactions);
  say('after kill -9');
  const recoveries = await measureRecovery(rig, scope.recoveries);
  const minutes = (performance.now() - begun) / 60_000;
  const version = await rig.version();
  const text = await buildReport({ scope, noop, program, reactions, recoveries, snapshots, version, minutes, load });
  console.log(text);
  if (writes) writeReport(text);
} finally {
  await rig.stop();
}
await rig.close();
