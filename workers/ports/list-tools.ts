import { spawn } from 'node:child_process';
import { estimateTokenCount } from 'tokenx';
import { rootOfStore } from '../../activities/home/home-layout.ts';
import { findServers } from '../../activities/mcp/find-tool-files.ts';
import { listServers, reportServers, type CheckedServer } from '../../activities/mcp/check-servers.ts';
import { openListing } from '../../activities/mcp/open-listing.ts';
import { servingCommand } from '../../activities/mcp/server-place.ts';
import { EnvironmentSecrets } from '../../activities/redact/secrets.ts';
import { createToolRegistry } from '../../activities/tools/built-in-tools.ts';
import type { ServerReport, ToolReport, ToolsPort } from '../../client/ports/tools.ts';
import { toolNames } from '../../domain/executors/agent.ts';
import { assessTool } from '../../domain/gates/assess-tool.ts';
import { defaultGuards } from '../../domain/plan/select-guards.ts';
import { onlyReads } from '../../domain/servers/hints.ts';
import type { ForeignSchema } from '../../domain/servers/name-tools.ts';
import type { GateRules } from '../../domain/types/basic/gate.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import { heddleHome, type Environment } from '../home/home.ts';

/** Lists the tools that agents of a folder have, with the servers as this machine sees them. */
export function toolsPort(env: Environment, cwd: string): ToolsPort {
  return {
    listTools: async ({ values }, { check }) => {
      const { servers, problems } = await findServers(values);
      const sandbox = { ...defaultGuards.sandbox, ...values.sandbox };
      const root = rootOfStore(heddleHome(env).store);
      const secrets = new EnvironmentSecrets(env);
      const place = openListing(servers, { root, secrets, sandbox, workspace: cwd });
      const checked = await listServers(servers, place, { signal: new AbortController().signal, anew: check });
      const report = reportServers(checked);
      const failed = new Set(checked.flatMap((each) => ('why' in each ? [placeOf(each.server)] : [])));
      const gates: GateRules = { ...defaultGuards.gates, ...values.gates };
      return {
        tools: [...listBuiltIn(), ...report.tools.map((tool) => describeForeign(tool, gates))],
        servers: checked.map(describeServer),
        problems: [...problems, ...report.problems.filter(({ where = '' }) => !failed.has(where))],
      };
    },
    serveTools: (file) => serve(file),
  };
}

/** The place of the problem of a server that failed. */
const placeOf = ({ name, via }: ToolServer): string => (via.kind === 'file' ? 'tools.files' : `mcp.${name}`);

function listBuiltIn(): ToolReport[] {
  const registry = createToolRegistry();
  return registry.schemas(toolNames).map((schema) => {
    const tool = registry.find(schema.name, toolNames);
    const kind = typeof tool === 'string' ? 'loop' : tool.kind;
    return {
      name: schema.name,
      from: 'heddle',
      kind,
      gate: kind === 'mutates' ? 'depends' : 'allow',
      tokens: estimateTokenCount(JSON.stringify(schema)),
    };
  });
}

function describeForeign({ from, ...schema }: ForeignSchema, rules: GateRules): ToolReport {
  const ruling = assessTool({ ...from, name: schema.name }, { rules, allowed: [] });
  return {
    name: schema.name,
    from: from.server,
    kind: onlyReads(from.hints) ? 'reads' : 'mutates',
    gate: ruling.kind,
    tokens: estimateTokenCount(JSON.stringify(schema)),
  };
}

function describeServer({ server: { name }, ...checked }: CheckedServer): ServerReport {
  if ('why' in checked) return { name, ok: false, tools: 0, startMs: 0, error: checked.why };
  return { name, ok: true, tools: checked.list.tools.length, startMs: checked.list.startMs };
}

/** The file is served as any program: the starter of this command decides what surrounds it. */
function serve(file: string): Promise<number> {
  const [program = process.execPath, ...args] = servingCommand(file);
  const child = spawn(program, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
