import { loadavg } from 'node:os';
import { stopwatch } from '../stopwatch.ts';
import { Rig } from '../rig.ts';
import type { Scope } from '../scope.ts';
import { measureReaction } from './measure-reaction.ts';
import { measureRounds, warmUp } from './measure-rounds.ts';
import type { Run } from './measure-runs.ts';
import { stepSection } from './report.ts';

/** As a section of the report. */
export async function benchSteps(scope: Scope): Promise<string> {
  const { report, minutes } = stopwatch();
  const onRun = ({ side, shape, kind, count, ms }: Run): void =>
    report(`${side} ${shape} of ${count} (${kind}): ${(ms / count).toFixed(1)} ms per subtask`);
  const load = loadavg()[0] ?? NaN;
  return Rig.with(async (rig) => {
    await warmUp(rig);
    const noop = await measureRounds(rig, { kind: 'noop', sizes: scope.steps, budget: scope.budget, onRun });
    const sizes = [scope.program];
    const program = await measureRounds(rig, { kind: 'program', sizes, budget: scope.programBudget, onRun });
    report('from a decision to the reaction');
    const reactions = await measureReaction(rig, scope.reactions);
    const version = await rig.version();
    return stepSection({ scope, noop, program, reactions, version, minutes: minutes(), load });
  });
}
