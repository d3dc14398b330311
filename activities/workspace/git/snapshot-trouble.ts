import { systemCode } from '../../system/system-error.ts';

/** Why a snapshot could not be taken, in words for the journal. Never a reason to fail an attempt. */
export class SnapshotTrouble extends Error {
  override readonly name = 'SnapshotTrouble';
}

/** SQLite's errors and the system's are the machine's trouble too; anything else is a mistake of ours. */
export function asTrouble(error: unknown): SnapshotTrouble | undefined {
  if (error instanceof SnapshotTrouble) return error;
  const code = systemCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  return code.startsWith('ERR_') && code !== 'ERR_SQLITE_ERROR' ? undefined : new SnapshotTrouble(error.message);
}
