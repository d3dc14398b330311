import { randomUUID } from 'node:crypto';
import { listServerVariables } from '../../domain/servers/server-variables.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import { ownFolders } from '../home/xdg.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { ServerPlace } from './server-place.ts';

/** The place where servers run for their lists alone. No attempt has begun: what is started there ends with us. */
export function openListing(
  servers: readonly ToolServer[],
  given: Pick<ServerPlace, 'workspace' | 'root' | 'sandbox'> & { secrets: Secrets },
): ServerPlace {
  const { environment } = given.secrets;
  return {
    ...given,
    environment,
    hidden: ownFolders(given.root, environment),
    mark: `HEDDLE_LISTING=${randomUUID()}`,
    redactor: given.secrets.redactor(listServerVariables(servers)),
  };
}
