import type { AttemptView } from '../../../domain/model/attempt-view.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { StatusView } from '../../../domain/task/status.ts';
import { sayList } from '../../../domain/text/text.ts';
import type { TaskHandle } from '../../task-handle.ts';
import { openOutput } from '../../logs/attempt-output.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { looking, withTask } from './find-task.ts';
import { LogPrinter } from '../../logs/log-printer.ts';
import { tailLogs } from '../../logs/log-tail.ts';
import { onceAskedToStop } from '../stop-request.ts';

export interface LogsOptions {
  follow?: boolean;
  attempt?: number;
}

/** `heddle logs`: what the programs printed, attempt by attempt. */
export function logsCommand(
  context: Context,
  task: string,
  subtask: string | undefined,
  { follow = false, attempt }: LogsOptions,
): Promise<number> {
  return withTask(context, task, async (handle) => {
    const status = await looking(() => handle.status());
    if (subtask !== undefined) checkSubtask(status, subtask);
    const wanted = (record: AttemptView): boolean =>
      (subtask === undefined || record.subtask === subtask) && (attempt === undefined || record.attempt === attempt);
    const selection: Selection = { handle, wanted, subtask, elsewhere: sayElsewhere(status) };
    const goesOn = follow && !isOver(status, subtask);
    if (goesOn && !context.output.json) return (await tail(context, selection)) ? exits.interrupted : exits.done;
    // One document: it is written when everything is known.
    if (goesOn) await handle.result().catch(() => undefined);
    await printAll(context, selection);
    return exits.done;
  });
}

interface Selection {
  handle: TaskHandle;
  wanted: (record: AttemptView) => boolean;
  subtask: string | undefined;
  elsewhere: string;
}

function checkSubtask({ subtasks }: StatusView, id: string): void {
  const ids = subtasks.map((subtask) => subtask.id);
  if (ids.includes(id)) return;
  const meant = nearest(id, ids);
  throw new HeddleError({
    code: 'SUBTASK_NOT_FOUND',
    message: `There is no subtask ${id}`,
    hint: meant === undefined ? `Subtasks: ${sayList(ids, 20)}.` : `Did you mean ${meant}?`,
  });
}

function isOver(status: StatusView, subtask: string | undefined): boolean {
  return status.endedAt !== null || status.subtasks.some(({ id, endedAt }) => id === subtask && endedAt !== null);
}

const sayElsewhere = ({ host }: StatusView): string =>
  host === null ? 'its output is not on this machine' : `its output is not here; host ${host} has it`;

async function printAll({ ports, output }: Context, { handle, wanted, elsewhere }: Selection): Promise<void> {
  const records = (await handle.attempts()).filter(wanted);
  if (output.json) {
    const whole = [];
    for (const record of records) {
      const { subtask, attempt, outcome } = record;
      whole.push({ subtask, attempt, outcome, output: await readWhole(ports, handle.id, record) });
    }
    return output.data(whole);
  }
  const printer = new LogPrinter(output);
  for (const record of records) {
    await printer.header(record);
    const found = await openOutput(ports, handle.id, record);
    if (found === 'elsewhere')
      await printer.remark(record, record.outcome === 'running' ? 'nothing here yet' : elsewhere);
    else if (found === 'nothing') await printer.remark(record, record.summary === '' ? 'no output' : record.summary);
    else if ((await printer.print(record, found.bytes)) === 0) await printer.remark(record, 'no output');
    if (output.closed.aborted) return;
  }
  await printer.end();
  if (records.length === 0) output.note('No attempt has started yet.');
}

async function readWhole(ports: Context['ports'], taskId: string, record: AttemptView): Promise<string | null> {
  const found = await openOutput(ports, taskId, record);
  if (found === 'elsewhere') return null;
  if (found === 'nothing') return '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** True when somebody stopped it before the end. */
async function tail({ ports, output }: Context, selection: Selection): Promise<boolean> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const release = onceAskedToStop(ports, abort);
  output.closed.addEventListener('abort', abort, { once: true });
  const printer = new LogPrinter(output);
  try {
    await tailLogs({ ...selection, files: ports, printer, signal: stop.signal });
    await printer.end();
  } finally {
    output.closed.removeEventListener('abort', abort);
    release();
  }
  return stop.signal.aborted;
}
