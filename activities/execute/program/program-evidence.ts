import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { evidenceLimits } from '../../../domain/evidence/limits.ts';
import { readDraftLines } from '../../../domain/evidence/read-draft.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { formatCount } from '../../../domain/text/text.ts';
import type { Attempt } from '../../attempt/attempt.ts';
import { evidenceFile } from '../../attempt/attempt-scratch.ts';
import { describeKept } from '../../attempt/kept-attempt.ts';
import { keepAttempt, openPage, type KeepParts } from '../../evidence/keep-attempt.ts';
import { isSystemError, systemCode } from '../../system/system-error.ts';

/** Confirms the records that a program wrote, beside those of earlier attempts. `trouble`: what of its file could not be read. */
export async function keepProgramEvidence(
  parts: KeepParts,
  attempt: Attempt,
  scratch: string,
): Promise<{ evidence?: Ref | undefined; trouble?: string | undefined }> {
  const { drafts, trouble } = await readEvidenceFile(evidenceFile(scratch));
  const page = await openPage(parts.store, attempt.input);
  const evidence = await keepAttempt(parts, describeKept(attempt), { page, given: { by: 'program', drafts } });
  return { evidence, trouble };
}

async function readEvidenceFile(
  path: string,
): Promise<{ drafts: ReturnType<typeof readDraftLines>['drafts']; trouble?: string }> {
  try {
    // A program may have put anything here: a link would show another file, a pipe would never end.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { drafts: [], trouble: 'the file of evidence of a program is no file' };
      if (stats.size > evidenceLimits.fileBytes) {
        const most = formatBytes(evidenceLimits.fileBytes);
        return { drafts: [], trouble: `the file of evidence of a program is larger than ${most}, and was not read` };
      }
      const { drafts, unreadable } = readDraftLines(await file.readFile('utf8'));
      if (unreadable === 0) return { drafts };
      return { drafts, trouble: `${formatCount(unreadable, 'line')} of a program's file of evidence hold no record` };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (systemCode(error) === 'ENOENT') return { drafts: [] };
    return { drafts: [], trouble: `the file of evidence of a program cannot be read: ${error.message}` };
  }
}
