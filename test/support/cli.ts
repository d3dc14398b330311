import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import { type ProcessIdentity, readIdentity } from '../../activities/programs/process-identity.ts';
import { main } from '../../client/cli/main.ts';
import { createPorts } from '../../workers/ports/create-ports.ts';
import { capture } from '../client/cli/shared/support.ts';
import { endService, processesOf, remove, serviceGrace } from './end-service.ts';

const cleanUp = 2 * serviceGrace;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Everything that it printed so far. */
  stdout(): string;
  finished: Promise<Finished>;
}

interface Given {
  env?: Record<string, string>;
  cwd?: string;
  input?: string | undefined;
  /** Instead of this process's signals. */
  onStopRequest?: (handler: () => void) => () => void;
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
    this.env = environmentOf(this.home, join(folder, 'config'), extra);
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
    return documentOf(args, await this.run(...args, '--json')) as T;
  }

  /** A command in this process: the same code, without a start of Node for each. Not where it would start the service. */
  async here(...args: string[]): Promise<Finished> {
    return this.hereWith({}, ...args);
  }

  /** With more than the variables of this `Cli`, from another folder, or with something to read. */
  async hereWith({ env = {}, cwd = this.cwd, input = '', ...rest }: Given, ...args: string[]): Promise<Finished> {
    const [stdin, stdout, stderr] = [Readable.from([Buffer.from(input)]), capture(), capture()];
    const code = await main(args, { ...createPorts({ ...this.env, ...env }, cwd), stdin, stdout, stderr, ...rest });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  }

  async jsonHere<T>(...args: string[]): Promise<T> {
    return documentOf(args, await this.here(...args, '--json')) as T;
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

function environmentOf(
  home: string,
  config: string,
  extra: Record<string, string>,
): Record<string, string | undefined> {
  return {
    ...process.env,
    TEMPORAL_ADDRESS: undefined,
    HEDDLE_HOME: home,
    // The settings of whoever runs the tests are not theirs.
    HEDDLE_CONFIG: undefined,
    XDG_CONFIG_HOME: config,
    TEMPORAL_CLI_PATH: inject('temporalPath'),
    NODE_COMPILE_CACHE: inject('compiled'),
    // No model server of the machine that runs the tests takes part in them.
    OLLAMA_HOST: '127.0.0.1:9',
    ...extra,
  };
}

function documentOf(args: string[], { code, stdout, stderr }: Finished): unknown {
  if (code !== 0) throw new Error(`heddle ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

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

/**
 * The same, of a home whose service serves all files that ask for it, and runs when a test begins. For tests that leave the service alone
 * and look at tasks of their own ids only; neither `latest` nor the whole inbox is theirs.
 */
export function useSharedHome(): () => string {
  const shared = inject('sharedHome');
  let own: string | undefined;
  const end = async (): Promise<void> => {
    if (own === undefined) return;
    await endService(own);
    remove(own);
  };
  beforeEach(async () => up(own ?? shared), cleanUp);
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await end();
    own = mkdtempSync(join(tmpdir(), 'heddle-cli-'));
  }, cleanUp);
  afterAll(end, cleanUp);
  return () => own ?? shared;
}

/** A process that a test left running does not delay the end. */
async function up(home: string): Promise<void> {
  if (processesOf(home).length === 2) return;
  const env = environmentOf(home, join(home, 'config'), { HEDDLE_GRACE: '1s' });
  const child = spawn(process.execPath, [inject('program'), 'up', '--background'], { env, stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the service of ${home} did not start: ${code}`);
}

/** Looks until it is true, within bounds. What is asked of others is asked less and less often: each question costs. */
export async function until(
  what: string,
  look: () => boolean | Promise<boolean>,
  ms = 30_000,
  interval = 50,
): Promise<void> {
  const deadline = Date.now() + ms;
  for (let pause = interval; Date.now() < deadline;) {
    const answer = look();
    if (await answer) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (answer instanceof Promise) pause = Math.min(2 * pause, 500);
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}

export const alive = (pid: number): boolean => readIdentity(pid) !== undefined;
