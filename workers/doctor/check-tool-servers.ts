import { readConfigFiles } from '../../activities/config/read-config.ts';
import { findServers } from '../../activities/mcp/find-tool-files.ts';
import { findList } from '../../activities/mcp/tool-lists.ts';
import { openListing } from '../../activities/mcp/open-listing.ts';
import { EnvironmentSecrets } from '../../activities/redact/secrets.ts';
import type { Check } from '../../client/ports/service.ts';
import { environmentLayer } from '../../domain/config/environment.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import { listServerVariables } from '../../domain/servers/server-variables.ts';
import { formatCount } from '../../domain/text/text.ts';
import { defaultGuards } from '../../domain/plan/select-guards.ts';
import { heddleHome, type Environment } from '../home/home.ts';
import { trustIn } from '../home/trust-in.ts';
import { rootOfStore } from '../../activities/home/home-layout.ts';

/** The servers of tools of this folder, by what is at hand: nothing is started. */
export async function checkToolServers(env: Environment, cwd: string): Promise<Check[]> {
  const files = await readConfigFiles({ env, folder: cwd, trustOf: trustIn(env) });
  const layers = files.flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
  const { values } = resolveConfig({ below: [...layers, environmentLayer(env)], above: [] });
  const { servers, problems } = await findServers(values);
  const secrets = new EnvironmentSecrets(env);
  const root = rootOfStore(heddleHome(env).store);
  const place = openListing(servers, { root, secrets, workspace: cwd, sandbox: defaultGuards.sandbox });
  const checks = servers.map(async (server): Promise<Check> => {
    const name = `tools of ${server.name}`;
    const { missing } = secrets.valuesOf(listServerVariables([server]));
    if (missing.length > 0)
      return { name, ok: false, detail: `${missing.join(', ')} is not set`, hint: 'Set it where tasks are started.' };
    const list = await findList(server, place);
    if (list === undefined)
      return { name, ok: true, detail: 'not listed yet', hint: '`heddle tools --check` starts it.' };
    return { name, ok: true, detail: `${formatCount(list.tools.length, 'tool')}, as they were listed last` };
  });
  const missing = problems.map(({ message, hint = '' }) => ({ name: 'tool files', ok: false, detail: message, hint }));
  return [...missing, ...(await Promise.all(checks))];
}
