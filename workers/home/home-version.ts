import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homeVersionFile } from '../../activities/home/home-layout.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { makeFolders } from './make-folders.ts';

/** Raised with every change of the layout that an older version would misread. */
const homeVersion = 2;

/** Refuses a home that another version of Heddle wrote in a form that this one cannot read. One without a note is new. */
export function checkHomeVersion(root: string): void {
  const file = homeVersionFile(root);
  const version = readHomeVersion(file);
  if (version === undefined || version === homeVersion) return;
  throw new HeddleError({
    code: 'HOME_VERSION',
    message:
      version === 'unreadable'
        ? `${file} does not name the version of this home`
        : `This home has version ${version}, and this Heddle reads version ${homeVersion}`,
    where: file,
    hint: 'Use the version of Heddle that wrote it, or another HEDDLE_HOME. `heddle cancel` and `heddle down --force` work on a service that runs there.',
  });
}

/** Callers ask this before they write into the home. */
export function writeHomeVersion(root: string): void {
  const file = homeVersionFile(root);
  if (readHomeVersion(file) !== undefined) return;
  makeFolders(root);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ version: homeVersion })}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

function readHomeVersion(file: string): number | 'unreadable' | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined;
    return typeof version === 'number' ? version : 'unreadable';
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : 'unreadable';
  }
}
