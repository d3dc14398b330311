import { ApplicationFailure } from '@temporalio/activity';
import type { Context } from '@temporalio/activity';
import { rm } from 'node:fs/promises';

import type { ExecuteInput, Execution } from '../../domain/model/attempt.ts';
import { readIdentity } from '../programs/process-identity.ts';
import type { FileStore } from '../store/file-store.ts';
import { isSystemError } from '../store/system-error.ts';
import type { Variables } from '../programs/base-environment.ts';
import { contractTail, describeNotStarted, describeRun } from './describe-execution.ts';
import type { Facts } from './describe-execution.ts';
import { explainStart } from '../programs/explain-start.ts';
import type { NotStarted } from '../programs/explain-start.ts';
import type { Heartbeat } from '../attempt/heartbeat.ts';
import { prepareProgram } from './prepare-program.ts';
import type { Prepared } from './prepare-program.ts';
import { runProgram } from '../programs/run-program.ts';
import type { ProgramResult } from '../programs/run-program.ts';
import type { RunningPaths } from '../attempt/running-paths.ts';
import { readRecord, writeRecord } from '../attempt/running-record.ts';
import type { RunningRecord } from '../attempt/running-record.ts';
import { removeScratch } from '../attempt/scratch.ts';
import { asTransient } from './transient-failure.ts';

interface AttemptParts {
  store: FileStore;
  env: Variables;
  logger: Pick<Context['log'], 'warn'>;
  paths: RunningPaths;
  input: ExecuteInput;
  context: Context;
  heartbeat: Heartbeat;
  record: RunningRecord;
}

/** One start of an attempt's program, from its preparation to the record of its end. */
export class AttemptRun {
  readonly #parts: AttemptParts;
  #record: RunningRecord;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.#record = parts.record;
  }

  async execute(): Promise<Execution> {
    const program = await this.#prepare();
    if ('message' in program) return this.close(describeNotStarted(program));
    const result = await this.#run(program);
    await this.#refuseIfTakenOver();
    if (result.end === 'aborted') return this.#leave();
    if (result.startError !== undefined) {
      const where = { argv: program.argv, cwd: program.cwd, path: program.env.PATH ?? '' };
      return this.close(describeNotStarted(await explainStart(result.startError, where)));
    }
    const facts = await describeRun(result, program, this.#parts.store);
    const transient = asTransient(this.#complete(facts));
    if (transient === undefined) return this.close(facts);
    await this.#finish({ ...this.#record, state: 'waiting' });
    throw transient;
  }

  #complete(facts: Facts): Execution {
    return { ...facts, reruns: this.#record.reruns, before: this.#record.before };
  }

  /** The result is recorded before it is returned: if the answer to Temporal is lost, the program does not run twice. */
  async close(facts: Facts): Promise<Execution> {
    const result = this.#complete(facts);
    await this.#finish({ ...this.#record, state: 'ended', result });
    return result;
  }

  async #prepare(): Promise<Prepared | NotStarted> {
    const { input, store, env, paths } = this.#parts;
    try {
      return await prepareProgram(input, { store, env, paths, run: this.#record.run });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { exitCode: null, message: error.message };
    }
  }

  #run(program: Prepared): Promise<ProgramResult> {
    const { input, context, heartbeat } = this.#parts;
    return runProgram({
      ...program,
      timeout: input.timeout,
      signal: context.cancellationSignal,
      tailBytes: contractTail,
      onLine: (line) => heartbeat.note({ line }),
      onStart: (pid) => this.#recordStart(pid),
    });
  }

  async #recordStart(pid: number): Promise<void> {
    this.#parts.heartbeat.note({ pid });
    const program = readIdentity(pid);
    // Undefined: it has ended already.
    if (program !== undefined) this.#record = { ...this.#record, program };
    await writeRecord(this.#parts.paths, this.#record);
  }

  /** When Temporal believed us dead, another start of this attempt may own it now; its record and files are not ours. */
  async #refuseIfTakenOver(): Promise<void> {
    const current = await readRecord(this.#parts.paths);
    if (current === undefined || current === 'unreadable' || current.run === this.#record.run) return;
    await removeScratch(this.#parts.paths, this.#record.run);
    throw ApplicationFailure.retryable('another run of this attempt has taken over', 'taken-over');
  }

  /** Cancelled: the program is gone already. Only a person's cancellation ends the attempt; the rest lets another worker go on. */
  async #leave(): Promise<never> {
    const { context, paths } = this.#parts;
    const reason: unknown = context.cancellationSignal.reason;
    const isShutdown =
      context.cancellationDetails?.workerShutdown === true || String(reason).includes('WORKER_SHUTDOWN');
    if (context.cancellationDetails?.cancelRequested === true && !isShutdown) {
      await removeScratch(paths, this.#record.run);
      await rm(paths.record, { force: true });
    } else {
      const hasRun = this.#record.program !== undefined;
      await this.#finish({ ...this.#record, state: hasRun ? 'handed-over' : 'waiting' });
    }
    return context.cancelled;
  }

  /** What is already decided is not lost because a record of it could not be written. */
  async #finish(record: RunningRecord): Promise<void> {
    const { paths, logger, input } = this.#parts;
    try {
      // Files first: on a full disk they may be what fills it, and without a record this end would look like a crash.
      await removeScratch(paths, record.run);
      await writeRecord(paths, record);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      logger.warn('the end of an attempt could not be recorded', {
        task: input.taskId,
        subtask: input.subtaskId,
        error,
      });
    }
  }
}
