import { boundArguments } from '../../../domain/decisions/options/bound-arguments.ts';
import { buildArguments } from '../../../domain/executors/arguments.ts';
import type { CommandExecutor } from '../../../domain/executors/command.ts';
import { placesOfProgram } from '../../../domain/gates/findings/find-places.ts';
import { assessProgram } from '../../../domain/gates/assess-program.ts';
import { isBelow } from '../../../domain/gates/shell/words/paths.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { GateAsk, ProgramPermit } from '../../../domain/types/agent.ts';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import { actionHash } from '../../agent/action-hash.ts';
import { mayExist } from '../../system/may-exist.ts';
import { resolveLinks } from '../../files/resolve-links.ts';
import type { CommandAttempt } from '../../attempt/attempt.ts';

/** The ruling on the program of an attempt before it starts. */
export type ProgramGate =
  /** `isApproved`: a person was asked about it, and approved it. */
  | { kind: 'open'; executor: CommandExecutor; isApproved: boolean }
  | { kind: 'asks'; asks: GateAsk }
  | { kind: 'denied'; why: string };

/**
 * Judged before the first start. What is judged are the words of every tier and of thinking, and the hash is of all that they are made
 * from: a yes holds for all attempts of the subtask, and a later one must not be the first to run something that nobody was asked about.
 */
export function gateProgram(attempt: CommandAttempt, redact: (text: string) => string): ProgramGate {
  const { input, gates: rules, workspace } = attempt;
  const executor = withPermit(attempt.executor, input.permit);
  const facts = { rules, workspace, resolve: resolveLinks, exists: mayExist };
  const assessed = listInvocations(executor).map((words) => ({ words, verdict: assessProgram(words, facts) }));
  const denied = assessed.map(({ verdict }) => verdict).find(isDenied);
  if (denied !== undefined) return { kind: 'denied', why: redact(denied.why) };
  const asking = assessed.find((each): each is { words: string[]; verdict: Asks } => each.verdict.kind === 'ask');
  if (asking === undefined) return { kind: 'open', executor, isApproved: false };
  const hash = hashProgram(executor, input.workspace, workspace);
  const { permit } = input;
  // The person who wrote these arguments has been asked.
  if (permit !== undefined && ('run' in permit || permit.hash === hash))
    return { kind: 'open', executor, isApproved: true };
  const { danger, why, signature } = asking.verdict;
  const shown = boundArguments(asking.words.map(redact), limits.asked.arguments);
  const about = { tool: 'command', why: redact(why), hash, danger, signature };
  return { kind: 'asks', asks: { kind: 'gate', call: null, ...about, ...shown } };
}

type Asks = Extract<GateRuling, { kind: 'ask' }>;

const isDenied = (verdict: GateRuling): verdict is Extract<GateRuling, { kind: 'deny' }> => verdict.kind === 'deny';

const withPermit = (executor: CommandExecutor, permit: ProgramPermit | undefined): CommandExecutor =>
  permit !== undefined && 'run' in permit ? { ...executor, run: permit.run } : executor;

/** As it runs on each tier, with and without thinking, in a conversation of its own or of an earlier attempt. */
function listInvocations(executor: CommandExecutor): string[][] {
  const tiers = Array.from({ length: limits.highestTier }, (_, index) => index + 1);
  const all = tiers.flatMap((tier) =>
    [false, true].flatMap((thinking) =>
      [{}, { session: 'session' }].map((more) => buildArguments(executor, { tier, thinking, ...more })),
    ),
  );
  return [...new Map(all.map((argv) => [JSON.stringify(argv), argv])).values()];
}

/**
 * The workspace is the task's own: the copy that a subtask may work in (`at`) has another name each time. A yes holds for all attempts,
 * whatever they make there, as long as no path leads out that did not, or elsewhere.
 */
function hashProgram(executor: CommandExecutor, cwd: string, at: string): string {
  const { run, models = [], thinking = [], resume } = executor;
  const root = resolveLinks(at, '/');
  const places = listInvocations(executor).flatMap((argv) =>
    placesOfProgram(argv, { workspace: root, resolve: resolveLinks }),
  );
  return actionHash({
    tool: 'command',
    arguments: { run, models, thinking, ...(resume === undefined ? {} : { resume }) },
    paths: [...new Set(places)].filter((place) => !isBelow(place, root)).toSorted(),
    cwd,
  });
}
