import { trustOf } from '../../activities/config/trust-records.ts';
import { rootOfStore } from '../../activities/home-layout.ts';
import type { FileIdentity, Trust } from '../../domain/config/layer.ts';
import { heddleHome, type Environment } from './home.ts';

/** Whether the user of this home trusts a project's file. */
export const trustIn =
  (env: Environment) =>
  (identity: FileIdentity): Promise<Trust> =>
    trustOf(rootOfStore(heddleHome(env).store), identity);
