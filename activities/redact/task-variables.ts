import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { type ServedTask, variablesFile, variablesFolder, variablesLock } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { openDatabase } from '../store/open-database.ts';
import { systemCode } from '../system/system-error.ts';

/*
 * The variables of a task, as the commands that started or answered it had them. One file of the home holds their values, for its owner
 * only, until the task ends. No value of it leaves this machine, and none enters the history, the store or a log.
 */

const schema = z.object({
  server: z.string(),
  task: z.string(),
  /** Variables that the task's plan and config name. */
  names: z.array(z.string()),
  /** The values of each, the newest first: an older one must not show up anywhere either. */
  values: z.record(z.string(), z.array(z.string())),
});

export type TaskVariables = z.infer<typeof schema>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that were kept for a task; undefined where none are. */
export const readVariables = (root: string, task: ServedTask): TaskVariables | undefined =>
  readVariablesFile(variablesFile(root, task));

/** Tells if anything is kept for any task: where nothing is, nobody has to find out whose it would be. A folder that cannot be read may hold some. */
export function mayKeepVariables(root: string): boolean {
  try {
    return readdirSync(variablesFolder(root)).some((name) => name.endsWith('.json'));
  } catch (error) {
    return systemCode(error) !== 'ENOENT';
  }
}

export function readVariablesFile(path: string): TaskVariables | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = schema.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new HeddleError({
    code: 'STORE_DAMAGED',
    message: 'The variables that were handed over for a task cannot be read',
    where: path,
    hint: 'Delete the file: the task has the variables of its worker then.',
  });
}

/** Keeps what a command hands over for a task that it is about to start. Returns how to take it back, for a task that was not started. */
export function handOver(root: string, task: ServedTask, names: readonly string[], env: Environment): () => void {
  if (names.length === 0) return () => undefined;
  let before: TaskVariables | undefined;
  write(root, task, (kept) => {
    before = kept;
    return withValues({ ...task, names: [...names], values: {} }, env);
  });
  return () => (before === undefined ? forgetVariables(root, task) : write(root, task, () => before));
}

/** Takes over the values of a command that answers. A variable that is not set there keeps the value that it had. */
export function refreshVariables(root: string, task: ServedTask, env: Environment): void {
  if (readVariables(root, task) === undefined) return;
  // A task that has ended meanwhile gets no file again.
  write(root, task, (kept) => kept && withValues(kept, env));
}

/** Notes variables that a plan names, so that an answer brings their values. */
export function noteNames(root: string, task: ServedTask, names: readonly string[]): void {
  const isKnown = (kept: TaskVariables | undefined): boolean => names.every((name) => kept?.names.includes(name));
  if (isKnown(readVariables(root, task))) return;
  write(root, task, (kept = { ...task, names: [], values: {} }) => ({
    ...kept,
    names: [...new Set([...kept.names, ...names])],
  }));
}

/** Removes what was kept for a task that has ended. */
export function forgetVariables(root: string, task: ServedTask): void {
  const path = variablesFile(root, task);
  if (readVariablesSafely(root, task) === undefined) return;
  locked(root, () => {
    rmSync(path, { force: true });
    rmSync(temporary(path), { force: true });
  });
}

/** An unreadable file goes as well. */
function readVariablesSafely(root: string, task: ServedTask): unknown {
  try {
    return readVariables(root, task);
  } catch (error) {
    if (error instanceof HeddleError) return error;
    throw error;
  }
}

/** An empty variable counts as not set: an empty key opens nothing, and must not replace a key that does. */
function withValues(kept: TaskVariables, env: Environment): TaskVariables {
  const values = { ...kept.values };
  for (const name of kept.names) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') continue;
    values[name] = [...new Set([value, ...(Object.hasOwn(values, name) ? (values[name] ?? []) : [])])];
  }
  return { ...kept, values };
}

function write(
  root: string,
  task: ServedTask,
  change: (kept: TaskVariables | undefined) => TaskVariables | undefined,
): void {
  const path = variablesFile(root, task);
  locked(root, () => {
    const next = change(readVariables(root, task));
    if (next !== undefined) replace(path, JSON.stringify(next));
  });
}

/** Written under the lock alone, so a part that a kill left is written over, and removed with the file. */
const temporary = (path: string): string => `${path}.tmp`;

function replace(path: string, text: string): void {
  const part = temporary(path);
  rmSync(part, { force: true });
  const file = openSync(part, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}

/** Lets one process write at a time. Nothing is awaited inside: another caller of this process would wait for itself. */
function locked(root: string, action: () => void): void {
  mkdirSync(variablesFolder(root), { recursive: true, mode: 0o700 });
  const database = openDatabase(variablesLock(root), { timeout: activityLimits.leaseWait });
  try {
    database.exec('BEGIN EXCLUSIVE');
    action();
  } finally {
    database.close();
  }
}
