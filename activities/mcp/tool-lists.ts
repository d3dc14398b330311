import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { readListedTool, type ListedTool } from '../../domain/servers/listed-tool.ts';
import { listServerVariables } from '../../domain/servers/server-variables.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import { canonicalJson } from '../../domain/text/canonical-json.ts';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { toolListFile } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { replaceFile } from '../system/durable-file.ts';
import { sha256 } from '../system/hash-file.ts';
import { isSystemError } from '../system/system-error.ts';
import { startServer, type ServerPlace } from './server-place.ts';

/** The tools of a server, as they were listed. */
export interface ToolList {
  /** When it was made. */
  at: number;
  /** Milliseconds that the server took to start. */
  startMs: number;
  tools: ListedTool[];
  /** Tools that could not be used, as the server sent them. */
  unusable: number;
}

const hints = z.object({
  readOnly: z.literal(true).exactOptional(),
  destructive: z.literal(true).exactOptional(),
  idempotent: z.literal(true).exactOptional(),
  settles: z.literal(true).exactOptional(),
});

const stored: z.ZodType<ToolList & { stale?: true }> = z.object({
  at: z.number(),
  startMs: z.number(),
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), input: z.record(z.string(), z.unknown()), hints }),
  ),
  unusable: z.number(),
  /** The server said that it has others by now. */
  stale: z.literal(true).exactOptional(),
});

interface ListOptions {
  signal: AbortSignal;
  /** Starts the server, though a list is at hand. */
  anew?: boolean;
  now?: () => number;
}

/**
 * Lists the tools of a server: from the home where the list there is fresh, else by starting it. A list belongs to one definition with one
 * set of values for its variables, in one workspace: another account is another list. Throws a `ServerProblem`.
 */
export async function listTools(server: ToolServer, place: ServerPlace, options: ListOptions): Promise<ToolList> {
  const { signal, anew = false, now = Date.now } = options;
  const file = await findListFile(server, place);
  const kept = anew ? undefined : await readList(file);
  if (kept !== undefined && kept.stale !== true && now() - kept.at < activityLimits.servers.listAge) return kept;
  const begun = performance.now();
  const open = await startServer(server, place, { signal });
  const startMs = Math.round(performance.now() - begun);
  try {
    const raw = await open.list(AbortSignal.any([signal, AbortSignal.timeout(server.start)]));
    const tools = raw.flatMap((each) => readListedTool(each) ?? []);
    const list: ToolList = { at: now(), startMs, tools, unusable: raw.length - tools.length };
    await writeList(file, list);
    return list;
  } finally {
    await open.close();
  }
}

/** The list that is at hand, whatever its age: a conversation can begin with it while its server is away. */
export const findList = async (server: ToolServer, place: ServerPlace): Promise<ToolList | undefined> =>
  readList(await findListFile(server, place));

/** Notes that a server has other tools by now. A server that says so without end is not asked without end. */
export async function markStale(server: ToolServer, place: ServerPlace, now = Date.now): Promise<void> {
  const file = await findListFile(server, place);
  const kept = await readList(file);
  if (kept === undefined || now() - kept.at < activityLimits.servers.listPause) return;
  await writeList(file, { ...kept, stale: true });
}

async function findListFile(
  server: ToolServer,
  { workspace, listedIn = workspace, root, secrets }: ServerPlace,
): Promise<string> {
  const { timeout: _, warm: __, optional: ___, tools: ____, hints: _____, ...definition } = server;
  const { values } = secrets.valuesOf(listServerVariables([server]));
  // A file that was changed has other tools.
  const content = server.via.kind === 'file' ? sha256(await readFile(server.via.path)) : '';
  return toolListFile(root, sha256(canonicalJson({ definition, values, workspace: listedIn, content })).slice(0, 32));
}

async function readList(file: string): Promise<(ToolList & { stale?: true }) | undefined> {
  try {
    return stored.safeParse(tryParseJson(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

async function writeList(file: string, list: ToolList & { stale?: true }): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, JSON.stringify(list), { durable: false });
}
