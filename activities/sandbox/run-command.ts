import { hostname } from 'node:os';

import { lastLines, oneLine } from '../../domain/text/text.ts';
import { commandVariables } from '../../domain/workspace/git-programs.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import { endOrphan } from '../programs/orphan.ts';
import { hasEndedWithin, signalProcess } from '../programs/process-identity.ts';
import { ownPath } from '../programs/own-programs.ts';
import { runProgram, type ProgramResult } from '../programs/run-program.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import { isSystemError } from '../system/system-error.ts';
import type { Command, CommandResult, Confinement, KilledFor } from './command.ts';
import { countedGroup } from './counted-group.ts';
import { withSandbox, type EnteredSandbox, type SandboxStatus } from './enter-sandbox.ts';
import { HeadTail } from './head-tail.ts';
import { MountReplacedError } from './mounts/hold-mounts.ts';
import { limited } from './limit-script.ts';
import { ProcessTree } from './process-tree.ts';
import { NetworkProblem, networkProblem } from './network/own-network.ts';
import type { SandboxStart } from './sandbox-arguments.ts';
import { defaultProcessLimits, watchProcesses, type ProcessLimits } from './watch-processes.ts';

export interface CommandPlace extends Confinement {
  /** The program that makes the sandbox; undefined: a command runs beside everything else. */
  sandbox: string | undefined;
  /** `NAME=value` in the environment marks its processes, so that they can be found and ended. */
  mark: string;
  redactor: Redactor;
  /** The environment of the worker, of which little reaches a command. */
  environment: PublicEnvironment;
  /** Limits that only tests choose. */
  most?: ProcessLimits;
}

/** Runs one command with everything that it starts, within its limits. Never rejects for anything that the command does. */
export async function runCommand(command: Command, place: CommandPlace): Promise<CommandResult> {
  const run = new CommandRun(command, place);
  try {
    return await run.result();
  } finally {
    run.release();
  }
}

class CommandRun {
  readonly #command: Command;
  readonly #place: CommandPlace;
  readonly #output = new HeadTail(activityLimits.commands.keptHead, activityLimits.commands.keptTail);
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #abort = (): void => this.#end('abort');
  #pid = 0;
  #tree: ProcessTree | undefined;
  #endWatch = (): void => undefined;
  #why: KilledFor | 'abort' | undefined;

  constructor(command: Command, place: CommandPlace) {
    this.#command = command;
    this.#place = place;
  }

  async result(): Promise<CommandResult> {
    const { sandbox } = this.#place;
    if (sandbox === undefined) return this.#run({ argv: limited(this.#command.argv, { alone: false }), pipes: [] });
    try {
      return await withSandbox(sandbox, this.#command, this.#place, (entered) => this.#run(entered));
    } catch (error) {
      if (error instanceof MountReplacedError || error instanceof NetworkProblem) return notStarted(error.message);
      throw error;
    }
  }

  async #run({ argv, pipes, status, network }: SandboxStart & Partial<EnteredSandbox>): Promise<CommandResult> {
    if (this.#command.signal.aborted) return notStarted('It was stopped before it began.');
    const { talk, timeout } = this.#command;
    if (talk === undefined) this.#timers.push(setTimeout(() => this.#end('time'), timeout));
    this.#command.signal.addEventListener('abort', this.#abort, { once: true });
    const group = countedGroup((this.#place.most ?? defaultProcessLimits).threads);
    const surroundings = this.#surroundings();
    let problem: string | undefined;
    try {
      const result = await runProgram({
        ...{ argv: group?.enter(argv) ?? argv, pipes },
        ...surroundings,
        ...(network === undefined ? {} : { stdin: network.stdin }),
        ...(talk === undefined ? {} : { talk }),
        // Time is kept here: a command that may have some to tidy up has had it when the signal comes.
        timeout: Infinity,
        killGrace: 0,
        signal: this.#stop.signal,
        redactor: this.#place.redactor,
        onOutput: (piece) => this.#keep(piece),
        onStart: async (pid) => {
          this.#watch(pid, status);
          await network?.attach(pid, { signal: this.#stop.signal, env: surroundings.env }).catch((error: unknown) => {
            problem = networkProblem(error);
            throw error;
          });
        },
      });
      this.#endWatch();
      if (status === undefined) await this.#endLeft();
      else await awaitEmpty(status);
      // Nothing has run: the first process waits for its network until it ends.
      if (problem !== undefined && this.#why === undefined) return notStarted(problem);
      return this.#describe(result, status);
    } finally {
      await network?.close();
      group?.leave();
    }
  }

  release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#endWatch();
    this.#command.signal.removeEventListener('abort', this.#abort);
  }

  /** The program that makes the sandbox gets the mark alone: its environment can be read from inside. */
  #surroundings(): { cwd: string; env: Record<string, string> } {
    const { sandbox, workspace, mark, environment } = this.#place;
    const at = mark.indexOf('=');
    const marked = { [mark.slice(0, at)]: mark.slice(at + 1) };
    if (sandbox !== undefined) return { cwd: '/', env: marked };
    const base = baseEnvironment(environment);
    // Programs that an agent can put into the workspace are not among those that run by their names alone.
    const path = { PATH: ownPath(base['PATH'], workspace) };
    return {
      cwd: workspace,
      env: {
        ...base,
        ...path,
        TERM: 'dumb',
        ...commandVariables({ sandboxed: false }),
        ...this.#command.env,
        ...marked,
      },
    };
  }

  #watch(pid: number, status: SandboxStatus | undefined): void {
    const { most = defaultProcessLimits } = this.#place;
    this.#pid = pid;
    this.#tree = new ProcessTree(pid);
    const watched = { pid, tree: this.#tree, inside: () => status?.first?.pid, most };
    this.#endWatch = watchProcesses(watched, (what) => this.#end(what));
  }

  /** Pieces after the one that was too much are dropped: a busy machine lets some through before the end. */
  #keep(piece: Buffer): void {
    if (this.#why === 'output') return;
    this.#output.push(piece);
    // Errors of a server come for as long as it runs; both ends of them are kept in constant memory.
    if (this.#command.talk !== undefined) return;
    if (this.#output.total > activityLimits.commands.outputBytes) this.#end('output');
  }

  /** The first reason counts. A command that took too long may still tidy up (git removes its locks); a command that is out of control has no time. */
  #end(why: KilledFor | 'abort'): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    if (why !== 'time' && why !== 'abort') return this.#stop.abort();
    this.#signalAll('SIGTERM');
    // A stopped process hears nothing until it goes on.
    this.#signalAll('SIGCONT');
    this.#timers.push(setTimeout(() => this.#stop.abort(), activityLimits.killGrace));
  }

  /** Spares the program that makes the sandbox: its end would end everything at once. */
  #signalAll(signal: NodeJS.Signals): void {
    const spared = this.#place.sandbox === undefined ? undefined : this.#pid;
    for (const { pid } of this.#tree?.look() ?? []) if (pid !== spared) signalMember(pid, signal);
  }

  /** Without a sandbox: what has left the process group, as far as it was seen, or carries the mark. */
  async #endLeft(): Promise<void> {
    for (const { pid } of this.#tree?.look() ?? []) signalMember(pid, 'SIGKILL');
    await endOrphan({ host: hostname(), mark: this.#place.mark });
  }

  #describe(result: ProgramResult, status: SandboxStatus | undefined): CommandResult {
    const { startError, exitCode: exit, signal, durationMs } = result;
    const output = this.#output.kept();
    if (startError !== undefined) return notStarted(startError.message);
    if (this.#why !== undefined) return { kind: 'killed', for: this.#why, output, durationMs };
    // Nothing was started inside: what is said then is said by the sandbox.
    if (status?.ended === false && signal === null) return notStarted(oneLine(lastLines(result.stderrTail, 1)));
    return { kind: 'exited', exit, signal, output, durationMs };
  }
}

const notStarted = (why: string): CommandResult => ({ kind: 'not-started', why });

/** When the first process inside is gone, the kernel has ended all others. */
async function awaitEmpty({ first }: SandboxStatus): Promise<void> {
  if (first === undefined || (await hasEndedWithin(first, activityLimits.killWait))) return;
  signalProcess(first, 'SIGKILL');
  await hasEndedWithin(first, activityLimits.killWait);
}

function signalMember(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or not ours to end.
    if (!isSystemError(error)) throw error;
  }
}
