import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, inject, onTestFinished } from 'vitest';
import { endProcess, type ProcessIdentity, readIdentity } from '../../activities/programs/process-identity.ts';

/** A drain waits for running attempts and hands them over. */
const serviceGrace = 50_000;
const cleanUp = 2 * serviceGrace;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** What it printed so far. */
  stdout(): string;
  finished: Promise<Finished>;
}

/**
 * `heddle` as a user has it installed: real processes, a home of its own unless one is given, a folder to work in. Everything it started
 * in its own home ends with the test. The sources run in the commands of the documents.
 */
export class Cli {
  readonly home: string;
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;

  constructor(extra: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-cli-'));
    this.home = extra['HEDDLE_HOME'] ?? join(folder, 'home');
    this.cwd = mkdtempSync(join(folder, 'work-'));
    this.env = {
      ...process.env,
      TEMPORAL_ADDRESS: undefined,
      HEDDLE_HOME: this.home,
      // The settings of whoever runs the tests are not theirs.
      HEDDLE_CONFIG: undefined,
      XDG_CONFIG_HOME: join(folder, 'config'),
      TEMPORAL_CLI_PATH: inject('temporalPath'),
      NODE_COMPILE_CACHE: inject('compiled'),
      ...extra,
    };
    onTestFinished(async () => {
      if (extra['HEDDLE_HOME'] === undefined) await endService(this.home);
      remove(folder);
    }, cleanUp);
  }

  start(...args: string[]): Running {
    const child = spawn(process.execPath, [inject('program'), ...args], {
      cwd: this.cwd,
      env: this.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const finished = new Promise<Finished>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
    return { child, stdout: () => stdout, finished };
  }

  async run(...args: string[]): Promise<Finished> {
    const running = this.start(...args);
    running.child.stdin?.end();
    return running.finished;
  }

  /** Feeds standard input: a plan as `-`. */
  async runWithInput(input: string, ...args: string[]): Promise<Finished> {
    const running = this.start(...args);
    running.child.stdin?.end(input);
    return running.finished;
  }

  async json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    if (code !== 0) throw new Error(`heddle ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** The processes of the service and of its Temporal server, as they are recorded now. */
  processes(): ProcessIdentity[] {
    return processesOf(this.home);
  }

  servicePid(): number {
    return (JSON.parse(readFileSync(join(this.home, 'run', 'service.json'), 'utf8')) as { pid: number }).pid;
  }

  serverPid(): number {
    return (JSON.parse(readFileSync(join(this.home, 'run', 'server.json'), 'utf8')) as { server: { pid: number } })
      .server.pid;
  }
}

function processesOf(home: string): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const [file, key] of [
    ['service.json', undefined],
    ['server.json', 'server'],
  ] as const) {
    try {
      const record = JSON.parse(readFileSync(join(home, 'run', file), 'utf8')) as Record<string, unknown>;
      const { pid } = (key === undefined ? record : record[key]) as { pid: number };
      const identity = readIdentity(pid);
      if (identity !== undefined) found.push(identity);
    } catch {
      // Not there: nothing runs.
    }
  }
  return found;
}

/**
 * The service first, as it would start its server again. It ends its programs and its server by itself. One that is still starting is not
 * recorded yet: it is found by the home that it was given.
 */
async function endService(home: string): Promise<void> {
  for (const identity of processesOf(home)) await endProcess(identity, serviceGrace);
  for (const identity of startedWith(home)) await endProcess(identity, serviceGrace);
  for (const identity of processesOf(home)) await endProcess(identity, serviceGrace);
}

/** Processes that know this home from their environment; none where the system has no `/proc`. */
function startedWith(home: string): ProcessIdentity[] {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return environment.includes(`HEDDLE_HOME=${home}`)
        ? [readIdentity(pid)].filter((found) => found !== undefined)
        : [];
    } catch {
      // It has ended, or belongs to somebody else.
      return [];
    }
  });
}

const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/**
 * Call at the top of a test file: a home whose service, once a command has started it, serves all tests of the file. For tests that are
 * not about the service itself, each with tasks of its own names; a test that is tried again finds a new home.
 */
export function useHome(): () => string {
  let folder = '';
  const make = (): void => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-cli-'));
  };
  const end = async (): Promise<void> => {
    await endService(folder);
    remove(folder);
  };
  beforeAll(make);
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await end();
    make();
  }, cleanUp);
  afterAll(end, cleanUp);
  return () => folder;
}

/** Looks until it is true, within bounds. What is asked of others is asked less and less often: each question costs. */
export async function until(what: string, look: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  for (let pause = 50; Date.now() < deadline;) {
    const answer = look();
    if (await answer) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (answer instanceof Promise) pause = Math.min(2 * pause, 500);
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}

export const alive = (pid: number): boolean => readIdentity(pid) !== undefined;
