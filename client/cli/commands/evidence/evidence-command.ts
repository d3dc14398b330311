import { formatCsv } from '../../../../domain/evidence/ledger-csv.ts';
import { describeEvidence, loadPages } from '../../../evidence/load-evidence.ts';
import { formatEvidence, formatMissing } from '../../../evidence/evidence-text.ts';
import { formatMissing as formatGap } from '../../../follow/format-missing.ts';
import { checkSubtask } from '../../../start/check-subtask.ts';
import { askToLook } from '../../../tasks/ask-to-look.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';
import { withTask } from '../find-task.ts';

export interface EvidenceOptions {
  csv?: boolean;
  /** Only targets without enough records. */
  missing?: boolean;
}

/** `heddle evidence`: the claims of a task with their sources, and how well each is supported. */
export function evidenceCommand(
  context: Context,
  task: string,
  subtask: string | undefined,
  { csv = false, missing: onlyMissing = false }: EvidenceOptions,
): Promise<number> {
  const { output } = context;
  return withTask(context, task, async (handle) => {
    const status = await askToLook(() => handle.status());
    checkSubtask(status, subtask);
    // One after the other: see `askWorker`.
    const attempts = await askToLook(() => handle.allAttempts());
    const { pages, gaps } = await loadPages(handle, { status, attempts: attempts.items });
    for (const gap of attempts.missing) output.note(formatGap('attempt', gap, status.host));
    for (const gap of gaps) output.note(gap);
    const own = subtask === undefined ? pages : pages.filter((page) => page.subtask === subtask);
    const all = describeEvidence(handle.id, own);
    const shown = onlyMissing ? { ...all, records: [] } : all;
    if (output.json) output.data(shown);
    else if (csv) await output.raw(formatCsv(shown.records));
    else if (onlyMissing) output.print(...formatMissing(all.missing));
    else output.print(...formatEvidence(all));
    if (!output.json && !csv && shown.records.length + all.missing.length === 0)
      output.note(onlyMissing ? 'No target lacks evidence.' : 'No evidence was recorded.');
    return exits.done;
  });
}
