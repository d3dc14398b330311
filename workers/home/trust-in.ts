import { loadTrust } from '../../activities/config/trust-records.ts';
import { rootOfStore } from '../../activities/home/home-layout.ts';
import type { FileIdentity, Trust } from '../../domain/config/layer.ts';
import { homeOfAnyVersion, type Environment } from './home.ts';

/** True where the user of this home trusts a project's file. A record that another version wrote, and this one cannot read, does not count. */
export const trustIn =
  (env: Environment) =>
  (identity: FileIdentity): Promise<Trust> =>
    loadTrust(rootOfStore(homeOfAnyVersion(env).store), identity);
