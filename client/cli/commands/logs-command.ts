import { LogPrinter } from '../../logs/log-printer.ts';
import { tailLogs } from '../../logs/log-tail.ts';
import { selectAttempts, type Selection } from '../../logs/select-attempts.ts';
import { printLogs, readLogs } from '../../logs/whole-logs.ts';
import type { Gap } from '../../follow/read-pages.ts';
import { formatMissing } from '../../follow/format-missing.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { onceAskedToStop } from '../shared/stop-request.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { withTask } from './find-task.ts';

export interface LogsOptions {
  follow?: boolean;
  attempt?: number;
  transcript?: boolean;
}

/** `heddle logs`: what programs and agents printed, or what agents and models said to each other, attempt by attempt. */
export function logsCommand(
  context: Context,
  task: string,
  subtask: string | undefined,
  { follow = false, attempt, transcript = false }: LogsOptions,
): Promise<number> {
  const { output, ports } = context;
  return withTask(context, task, async (handle) => {
    const status = await askToLook(() => handle.status());
    const selection = selectAttempts(ports, handle, status, { subtask, attempt, transcript });
    // A transcript is kept whole, or not yet.
    const isFollowing = follow && !transcript && !selection.over;
    if (isFollowing && !output.json) return (await tail(context, selection)) ? exits.interrupted : exits.done;
    // One document: it is written when everything is known.
    if (isFollowing) await handle.result().catch(() => undefined);
    noteMissing(context, await show(context, selection), status.host);
    return exits.done;
  });
}

async function show({ output }: Context, selection: Selection): Promise<Gap[]> {
  if (output.json) {
    const { logs, missing } = await readLogs(selection);
    output.data(logs);
    return missing;
  }
  const { count, missing } = await printLogs(selection, output);
  if (count === 0 && missing.length === 0) output.note('No attempt has started yet.');
  return missing;
}

function noteMissing({ output }: Context, missing: readonly Gap[], host: string | null): void {
  for (const gap of missing) output.note(formatMissing('attempt', gap, host));
}

/** True when somebody stopped it before the end. */
async function tail({ ports, output }: Context, selection: Selection): Promise<boolean> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const release = onceAskedToStop(ports, abort);
  output.closed.addEventListener('abort', abort, { once: true });
  const printer = new LogPrinter(output, { keepsColours: true });
  try {
    await tailLogs({ ...selection, printer, signal: stop.signal });
    await printer.end();
  } finally {
    output.closed.removeEventListener('abort', abort);
    release();
  }
  return stop.signal.aborted;
}
