import type { GateRuling } from '../../domain/types/basic/gate.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { isSystemError } from '../system/system-error.ts';
import { failed } from './common/tool-result.ts';
import { UnfinishedToolError } from './common/tool.ts';
import type { CallEffect, MutatingTool, ReadingTool, Settled, Tool, ToolOutcome, ToolContext } from './common/tool.ts';

/**
 * The result of performing an effect. `unknown`: it was begun, and nobody saw its end, so the world must be looked at. `whole` is all
 * output by then, when `why` has only a part.
 */
export type Performed = { kind: 'ended'; outcome: ToolOutcome } | { kind: 'unknown'; why: string; whole?: string };

/** Runs a reading tool within its time. Its errors are results for the model, which may try a different approach; only an abort is thrown. */
export async function runReading<A>(tool: ReadingTool<A>, args: A, context: ToolContext): Promise<ToolOutcome> {
  return askWithin(tool, context, (inTime) => tool.run(args, inTime));
}

/** Rules on a call of a tool that only reads: one without rules of its own may run. */
export async function assessReading<A>(
  tool: ReadingTool<A>,
  args: A,
  context: ToolContext,
): Promise<GateRuling | ToolOutcome> {
  if (tool.assess === undefined) return { kind: 'allow' };
  return askWithin(tool, context, async (inTime) => (await tool.assess?.(args, inTime)) ?? { kind: 'allow' });
}

export async function planEffect<A>(
  tool: MutatingTool<A>,
  args: A,
  context: ToolContext,
): Promise<CallEffect | ToolOutcome> {
  return askWithin(tool, context, (inTime) => tool.plan(args, inTime));
}

/** Rules on an effect as it was planned. An effect without a ruling is not performed. */
export async function assessEffect<A>(
  tool: MutatingTool<A>,
  { args, effect }: { args: A; effect: CallEffect },
  context: ToolContext,
): Promise<GateRuling | ToolOutcome> {
  return askWithin(tool, context, (inTime) => tool.assess(args, inTime, effect));
}

export async function performEffect<A>(
  tool: MutatingTool<A>,
  args: A,
  effect: CallEffect,
  context: ToolContext,
): Promise<Performed> {
  const end = await within(tool, context, (inTime) => tool.perform(args, effect, inTime));
  switch (end.kind) {
    case 'done':
      return { kind: 'ended', outcome: end.value };
    case 'late':
      return { kind: 'unknown', why: formatTimeout(tool) };
    case 'broken': {
      const { error } = end;
      if (!(error instanceof UnfinishedToolError)) return { kind: 'unknown', why: formatFailure(tool, error) };
      return { kind: 'unknown', why: error.message, ...(error.whole === undefined ? {} : { whole: error.whole }) };
    }
  }
}

/** Describes to the model what can be seen of an effect whose end nobody saw. */
export async function seeEffect<A>(tool: MutatingTool<A>, effect: CallEffect, context: ToolContext): Promise<string> {
  const end = await within(tool, context, (inTime) => tool.evidence(effect, inTime));
  return end.kind === 'done' ? end.value : 'What it changed cannot be looked at now.';
}

/** An effect that cannot be looked up in time stays unclear. */
export async function settleEffect<A>(
  tool: MutatingTool<A>,
  effect: CallEffect,
  context: ToolContext,
): Promise<Settled> {
  const end = await within(tool, context, (inTime) => tool.settle(effect, inTime));
  return end.kind === 'done' ? end.value : 'unclear';
}

async function askWithin<A, T>(
  tool: ReadingTool<A> | MutatingTool<A>,
  context: ToolContext,
  work: (context: ToolContext) => Promise<T>,
): Promise<T | ToolOutcome> {
  const end = await within(tool, context, work);
  if (end.kind === 'done') return end.value;
  if (end.kind === 'late') return failed(`${formatTimeout(tool)} Nothing was changed; ask for less.`);
  return failed(formatFailure(tool, end.error));
}

/** The text before the path of a system error. */
function formatFailure({ name }: { name: string }, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${name} failed: ${isSystemError(error) ? (message.split(',')[0] ?? message) : message}.`;
}

const formatTimeout = ({ name, timeout }: { name: string; timeout: number }): string =>
  `${name} did not end within ${formatDuration(timeout)}.`;

type End<T> = { kind: 'done'; value: T } | { kind: 'late' } | { kind: 'broken'; error: unknown };

/** How long a work is waited for that was told to end: what starts programs has to see them gone, what writes files may hang on a disk. */
const patience = (tool: Tool): number =>
  tool.kind === 'mutates' && tool.interruptible ? activityLimits.commands.ending : 0;

/** The work is told when its time is over, and hardly waited for: a disk that hangs must not hold the attempt. An abort of the context is thrown. */
async function within<T, A>(
  tool: Tool<A>,
  context: ToolContext,
  work: (context: ToolContext) => Promise<T>,
): Promise<End<T>> {
  context.signal.throwIfAborted();
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const timers = [setTimeout(() => over.abort(), tool.timeout)];
  const ended = new Promise<End<T>>((resolve) => {
    const late = (): void => resolve({ kind: 'late' });
    const onAbort = (): unknown => (patience(tool) === 0 ? late() : timers.push(setTimeout(late, patience(tool))));
    signal.addEventListener('abort', onAbort, { once: true });
    work({ ...context, signal }).then(
      (value) => resolve({ kind: 'done', value }),
      (error: unknown) => resolve({ kind: 'broken', error }),
    );
  });
  try {
    const end = await ended;
    if (end.kind !== 'done') context.signal.throwIfAborted();
    return end;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
