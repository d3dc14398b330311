import { Context } from '@temporalio/activity';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import type { Config } from '../../domain/schema/config-schema.ts';
import { selectServers } from '../../domain/servers/select-servers.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import type { SandboxSetting } from '../../domain/types/basic/gate.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { findServers } from './find-tool-files.ts';
import { findUnknownTools, listServers, reportServers } from './check-servers.ts';
import { openListing } from './open-listing.ts';
import type { Secrets } from '../redact/secrets.ts';

/** The place where a task will run. */
interface PreparedPlace {
  workspace: string;
  root: string;
  secrets: Secrets;
  sandbox: SandboxSetting;
}

/** The servers that a plan freezes, and all that would stop its agents later. */
interface PreparedServers {
  servers: ToolServer[];
  problems: Problem[];
  warnings: string[];
}

/** Looks whether every server that an agent of the plan may use works, and what its tools are. */
export async function prepareServers(
  subtasks: readonly Subtask[],
  values: Pick<Config, 'mcp' | 'tools'>,
  place: PreparedPlace,
): Promise<PreparedServers> {
  if (subtasks.every(({ executor }) => executor.kind !== 'agent' || executor.foreign?.length === 0))
    return { servers: [], problems: [], warnings: [] };
  const all = await findServers(values);
  const servers = selectServers(subtasks, all.servers);
  if (servers.length === 0)
    return { servers, problems: [...all.problems, ...findUnknownTools(subtasks, { tools: [] }, [])], warnings: [] };
  const checked = await listServers(servers, openListing(servers, place), {
    signal: Context.current().cancellationSignal,
  });
  const report = reportServers(checked);
  const dropped = checked.flatMap((each) => ('why' in each ? [each.server.name] : []));
  const unknown = all.problems.length > 0 ? [] : findUnknownTools(subtasks, report, dropped);
  return {
    servers,
    problems: [...all.problems, ...report.problems, ...unknown],
    warnings: report.warnings,
  };
}
