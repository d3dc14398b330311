import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLines, oneLine } from '../../domain/text/text.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import type { SandboxSetting } from '../../domain/types/basic/gate.ts';
import { serverHome } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { PublicEnvironment, Secrets } from '../redact/secrets.ts';
import type { CommandPort, CommandResult } from '../sandbox/command.ts';
import { isBelow } from '../sandbox/mounts/mount.ts';
import { openCommands } from '../sandbox/open-commands.ts';
import { orNone } from '../system/system-error.ts';
import { ChildTransport } from './child-transport.ts';
import { openServer, ServerProblem, type OpenServer, type Wire } from './open-server.ts';

/** The place where the servers of an execution, or of a preparation, run. */
export interface ServerPlace {
  workspace: string;
  /** The workspace of the task, where this is a subtask's own copy of it: lists of tools are kept for that one. */
  listedIn?: string;
  environment: PublicEnvironment;
  sandbox: SandboxSetting;
  /** Heddle's own folders, which no server sees. */
  hidden: readonly string[];
  /** The home, below which servers keep theirs. */
  root: string;
  /** Processes that a crash leaves running are found by it. */
  mark: string;
  redactor: Redactor;
  secrets: Pick<Secrets, 'value' | 'valuesOf'>;
  /** Takes out what servers leave in repositories of the workspace. */
  watch?: (port: CommandPort) => Promise<CommandPort>;
}

interface StartOptions {
  signal: AbortSignal;
  onListChanged?: () => void;
}

/** Starts a server, or connects to it. Throws a `ServerProblem` with the last lines of its errors. */
export async function startServer(server: ToolServer, place: ServerPlace, options: StartOptions): Promise<OpenServer> {
  const { via, start } = server;
  const wire = via.kind === 'http' ? await httpWire(via, place) : await childWire(server, place);
  return openServer(wire, { start: Math.min(start, activityLimits.servers.longestStart), ...options });
}

async function httpWire(
  { url, tokenEnv }: Extract<ToolServer['via'], { kind: 'http' }>,
  { secrets }: ServerPlace,
): Promise<Wire> {
  const { openHttpTransport } = await import('./http-transport.ts');
  const token = tokenEnv === undefined ? undefined : secrets.value(tokenEnv);
  if (tokenEnv !== undefined && token === undefined) throw new ServerProblem(`the variable ${tokenEnv} is not set`);
  let trouble: string | undefined;
  const transport = openHttpTransport(url, {
    token,
    onTrouble: (why) => {
      trouble = why;
      void transport.close().catch(() => undefined);
    },
  });
  return { transport, probes: true, explainEnd: () => trouble, lastErrors: () => '' };
}

async function childWire(server: ToolServer, place: ServerPlace): Promise<Wire> {
  const { env, network, sandbox } = server;
  const { values, missing } = place.secrets.valuesOf(env);
  if (missing.length > 0) throw new ServerProblem(`the variable ${missing.join(', ')} is not set`);
  const { argv, sees } = commandOf(server, place);
  const opened = await openCommands(sandbox ? { ...place.sandbox, network } : { mode: 'off', network }, {
    ...{ workspace: place.workspace, environment: place.environment, hidden: place.hidden },
    ...{ mark: place.mark, redactor: place.redactor, access: server.workspace, readRoots: [...server.read, ...sees] },
    ...(server.home ? { home: keptHome(server, place) } : {}),
  });
  const port = server.workspace === 'write' && place.watch !== undefined ? await place.watch(opened) : opened;
  const transport = new ChildTransport((talk, signal) =>
    port.run({ argv, env: values, timeout: Infinity, signal, talk }),
  );
  const explainEnd = (): string | undefined =>
    transport.trouble ?? (transport.end === undefined ? undefined : explainResult(transport.end));
  const lastErrors = (): string => (transport.end === undefined ? '' : errorsOf(transport.end));
  return { transport, probes: false, explainEnd, lastErrors };
}

function errorsOf(result: CommandResult): string {
  if (result.kind === 'not-started') return '';
  const { head, tail } = result.output;
  return oneLine(lastLines(tail === '' ? head : tail, activityLimits.servers.errorLines));
}

/** The last lines of its errors say best why a server ended. */
function explainResult(result: CommandResult): string {
  if (result.kind === 'not-started') return `it was not started: ${result.why}`;
  const last = errorsOf(result);
  const how =
    result.kind === 'killed'
      ? result.for === 'abort'
        ? 'it did not answer'
        : `it was ended because of its ${result.for}`
      : `it ended with ${result.exit ?? result.signal ?? 'a signal'}`;
  return last === '' ? how : `${how}: ${last}`;
}

/** A home of its own, which nothing else of Heddle's shares. */
function keptHome({ name }: ToolServer, { root }: ServerPlace): string {
  const folder = serverHome(root, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The program that is started, and the places outside the workspace that it must see for that. */
function commandOf(server: ToolServer, place: ServerPlace): { argv: string[]; sees: string[] } {
  const { via } = server;
  if (via.kind === 'file') return serveFile(via.path, place);
  const argv = via.kind === 'program' ? via.command : [];
  // The user named these files in the command itself; folders are named in `read`.
  const files = argv.filter((part) => isAbsolute(part) && isFile(part) && isOutside(part, place));
  return { argv, sees: files };
}

/** The same file runs as TypeScript in a clone and as JavaScript in an installed package. */
const servingFile = fileURLToPath(new URL(`./serve-tools${extname(import.meta.url)}`, import.meta.url));

/** The program that serves a file of tools. */
export const servingCommand = (path: string): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  servingFile,
  path,
];

function serveFile(path: string, place: ServerPlace): { argv: string[]; sees: string[] } {
  const zod = dirname(fileURLToPath(import.meta.resolve('zod/package.json')));
  const own = [servingFile, ownManifest(servingFile), zod, process.execPath];
  return {
    argv: servingCommand(path),
    sees: [...own, seenOfFile(path, place)].filter((each) => !isBelow(place.workspace, each)),
  };
}

/** A tool file imports its neighbours. A folder that holds much more than tools is not shown whole. */
function seenOfFile(path: string, { environment, hidden }: ServerPlace): string {
  const folder = dirname(path);
  const home = baseEnvironment(environment)['HOME'] ?? '/root';
  return isBelow(folder, home) || hidden.includes(folder) ? path : folder;
}

/** The manifest says that our file is a module. */
function ownManifest(file: string): string {
  const folder = dirname(file);
  const manifest = `${folder}/package.json`;
  return existsSync(manifest) || folder === '/' ? manifest : ownManifest(folder);
}

const isFile = (path: string): boolean => orNone(() => statSync(path).isFile()) === true;

const isOutside = (path: string, { workspace, hidden }: ServerPlace): boolean =>
  !isBelow(workspace, path) && !hidden.some((folder) => isBelow(folder, path));
