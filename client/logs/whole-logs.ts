import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { Gap } from '../follow/read-pages.ts';
import { openOutput, openTranscript, damagedText, type AttemptOutput } from './attempt-output.ts';
import { LogPrinter, type LogSink } from './log-printer.ts';
import type { Selection } from './select-attempts.ts';

/** The output of one attempt; null: it is elsewhere. */
export interface AttemptLog extends Pick<AttemptView, 'subtask' | 'attempt' | 'outcome' | 'verdict'> {
  output: string | null;
}

/** Attempts that are not known here, beside those that are. */
interface KnownAttempts {
  count: number;
  missing: Gap[];
}

/** All outputs so far, as values. */
export async function readLogs(selection: Selection): Promise<{ logs: AttemptLog[]; missing: Gap[] }> {
  const { items, missing } = await selection.handle.allAttempts();
  const logs: AttemptLog[] = [];
  for (const record of items.filter(selection.matches)) {
    const { subtask, attempt, outcome, verdict } = record;
    logs.push({ subtask, attempt, outcome, verdict, output: await readWhole(selection, record) });
  }
  return { logs, missing };
}

/** All outputs so far, one after the other. */
export async function printLogs(selection: Selection, sink: LogSink): Promise<KnownAttempts> {
  const { handle, matches, elsewhere } = selection;
  const { items, missing } = await handle.allAttempts();
  const records = items.filter(matches);
  const printer = new LogPrinter(sink, { keepsColours: !selection.transcript });
  for (const record of records) {
    await printer.header(record);
    const opened = await openSelected(selection, record);
    if (opened === 'elsewhere')
      await printer.remark(record, record.outcome === 'running' ? 'nothing here yet' : elsewhere);
    else if (opened === 'damaged') await printer.remark(record, damagedText);
    else if (opened === 'nothing') await printer.remark(record, formatNoOutput(selection, record));
    else if ((await printer.print(record, opened.bytes)) === 0) await printer.remark(record, 'no output');
    if (sink.closed.aborted) break;
  }
  await printer.end();
  return { count: records.length, missing };
}

function openSelected({ files, handle, transcript }: Selection, record: AttemptView): Promise<AttemptOutput> {
  return transcript ? openTranscript(files, record) : openOutput(files, handle.id, record);
}

function formatNoOutput({ transcript }: Selection, { outcome, summary }: AttemptView): string {
  if (!transcript) return summary === '' ? 'no output' : summary;
  return outcome === 'running' ? 'its transcript is kept when it ends' : 'no transcript: only agents have one';
}

async function readWhole(selection: Selection, record: AttemptView): Promise<string | null> {
  const opened = await openSelected(selection, record);
  if (opened === 'elsewhere') return null;
  if (opened === 'damaged') return `[${damagedText}]`;
  if (opened === 'nothing') return '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
