import { listSuspiciousVariables } from '../../domain/config/environment.ts';
import type { ConfigFile } from '../../domain/config/layer.ts';
import { showConfig, type ShownValue } from '../../domain/config/show-config.ts';
import { isUntrusted, trustedFiles } from '../../domain/config/trust.ts';
import { loadFolderConfig, type FolderConfigPorts } from './load-folder-config.ts';

export interface ShownConfig {
  files: readonly ConfigFile[];
  values: readonly ShownValue[];
  /** A file has settings that have no effect before a person trusts it. */
  isUntrusted: boolean;
  /** Variables of the environment that look like settings and have no effect. */
  suspicious: ReturnType<typeof listSuspiciousVariables>;
}

/** Each value of a folder's config and where it came from. Settings that are not trusted are listed as if they were, and marked. */
export async function showFolderConfig(ports: FolderConfigPorts, flags: readonly string[]): Promise<ShownConfig> {
  const { files, config } = await loadFolderConfig(ports, flags, (read) => trustedFiles(read, () => true));
  const untrusted = files.find(isUntrusted);
  return {
    files,
    values: showConfig(config, untrusted),
    isUntrusted: untrusted !== undefined,
    suspicious: listSuspiciousVariables(ports.env),
  };
}
