import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readVersion } from '../../client/cli/shared/version.ts';
import { sourceHash } from '../worker/source-hash.ts';

/** The package's version, and a hash of the code that a command line and a service must share. */
export interface CodeVersion {
  version: string;
  code: string;
}

let own: CodeVersion | undefined;

/** The version of the code that this process runs. */
export const ownVersion = (): CodeVersion => (own ??= { version: readVersion(), code: ownCode() });

/** A clone has its sources; the package has their hash in a file beside the program. */
function ownCode(): string {
  if (import.meta.url.endsWith('.ts')) return sourceHash();
  return readFileSync(fileURLToPath(new URL('./code-hash', import.meta.url)), 'utf8').trim();
}
