import type { ConfigFile } from '../../domain/config/layer.ts';
import { trustedFiles } from '../../domain/config/trust.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `HEDDLE_TRUST=1` is the word of the person who calls a command, for this one call. Only commands read it: a worker that was started with it trusts
 * nothing by it.
 */
export const isTrustedForOnce = (env: Environment): boolean => env['HEDDLE_TRUST'] === '1';

/** The files for a command that starts a task or asks models. */
export const trustedHere = (files: readonly ConfigFile[], env: Environment): ConfigFile[] =>
  trustedFiles(files, () => isTrustedForOnce(env));
