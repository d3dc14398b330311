import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { Gap } from '../follow/read-pages.ts';
import { openOutput, openTranscript, sayDamaged, type AttemptOutput } from './attempt-output.ts';
import { LogPrinter, type LogSink } from './log-printer.ts';
import type { Selection } from './select-attempts.ts';

/** What a program printed in one attempt; null: its output is elsewhere. */
export interface AttemptLog extends Pick<AttemptView, 'subtask' | 'attempt' | 'outcome' | 'verdict'> {
  output: string | null;
}

/** Attempts that are not known here, beside those that are. */
interface Known {
  count: number;
  missing: Gap[];
}

/** All outputs so far, as values. */
export async function readLogs(selection: Selection): Promise<{ logs: AttemptLog[]; missing: Gap[] }> {
  const { items, missing } = await selection.handle.allAttempts();
  const logs: AttemptLog[] = [];
  for (const record of items.filter(selection.wanted)) {
    const { subtask, attempt, outcome, verdict } = record;
    logs.push({ subtask, attempt, outcome, verdict, output: await readWhole(selection, record) });
  }
  return { logs, missing };
}

/** All outputs so far, one after the other. */
export async function printLogs(selection: Selection, sink: LogSink): Promise<Known> {
  const { handle, wanted, elsewhere } = selection;
  const { items, missing } = await handle.allAttempts();
  const records = items.filter(wanted);
  const printer = new LogPrinter(sink, { keepsColours: !selection.transcript });
  for (const record of records) {
    await printer.header(record);
    const found = await openWanted(selection, record);
    if (found === 'elsewhere')
      await printer.remark(record, record.outcome === 'running' ? 'nothing here yet' : elsewhere);
    else if (found === 'damaged') await printer.remark(record, sayDamaged);
    else if (found === 'nothing') await printer.remark(record, sayNothing(selection, record));
    else if ((await printer.print(record, found.bytes)) === 0) await printer.remark(record, 'no output');
    if (sink.closed.aborted) break;
  }
  await printer.end();
  return { count: records.length, missing };
}

function openWanted({ files, handle, transcript }: Selection, record: AttemptView): Promise<AttemptOutput> {
  return transcript ? openTranscript(files, record) : openOutput(files, handle.id, record);
}

function sayNothing({ transcript }: Selection, { outcome, summary }: AttemptView): string {
  if (!transcript) return summary === '' ? 'no output' : summary;
  return outcome === 'running' ? 'its transcript is kept when it ends' : 'no transcript: only agents have one';
}

async function readWhole(selection: Selection, record: AttemptView): Promise<string | null> {
  const found = await openWanted(selection, record);
  if (found === 'elsewhere') return null;
  if (found === 'damaged') return `[${sayDamaged}]`;
  if (found === 'nothing') return '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
