import type { ConfigFile } from '../../domain/config/layer.ts';
import { trustedFiles } from '../../domain/config/trust.ts';

/**
 * The files for a command that starts a task or asks models. `HEDDLE_TRUST=1` is the word of whoever calls it, for this one call; only
 * commands read it: a worker that was started with it trusts nothing by it.
 */
export const trustedHere = (
  files: readonly ConfigFile[],
  env: Readonly<Record<string, string | undefined>>,
): ConfigFile[] => trustedFiles(files, () => env['HEDDLE_TRUST'] === '1');
