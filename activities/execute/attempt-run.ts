import { ApplicationFailure } from '@temporalio/activity';
import type { Context } from '@temporalio/activity';

import { cancelledMeanwhile } from '../../domain/failure/classify.ts';
import type { Outcome } from '../../domain/model/outcome.ts';
import { handedOver } from '../attempt/live-run.ts';
import type { LiveRun } from '../attempt/live-run.ts';
import type { AttemptPaths } from '../home-layout.ts';
import { createRecord, readRecord, writeRecord } from '../attempt/running-record.ts';
import type { RunningRecord } from '../attempt/running-record.ts';
import { removeScratch } from '../attempt/scratch.ts';
import { addUsed } from '../../domain/task/used.ts';
import type { Variables } from '../programs/base-environment.ts';
import { explainStart } from '../programs/explain-start.ts';
import type { NotStarted } from '../programs/explain-start.ts';
import { readIdentity } from '../programs/process-identity.ts';
import { runProgram } from '../programs/run-program.ts';
import type { ProgramResult } from '../programs/run-program.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../store/system-error.ts';
import type { Assignment } from './assignment.ts';
import { contractTail, describeNotStarted, describeRun } from './describe-execution.ts';
import type { Facts } from './describe-execution.ts';
import { outcomeOf, toldOf } from './describe-outcome.ts';
import { prepareProgram } from './prepare-program.ts';
import type { Prepared } from './prepare-program.ts';
import { asTransient } from './transient-failure.ts';

interface RunParts {
  store: Store;
  env: Variables;
  logger: Pick<Context['log'], 'warn'>;
  paths: AttemptPaths;
  assignment: Assignment;
  live: LiveRun<Outcome>;
  record: RunningRecord;
}

/** One start of an attempt's program, from its preparation to the record of its end. */
export class AttemptRun {
  readonly #parts: RunParts;
  #record: RunningRecord;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#record = parts.record;
  }

  async execute(): Promise<Outcome | typeof handedOver> {
    const program = await this.#prepare();
    if ('message' in program) return this.close(describeNotStarted(program));
    const result = await this.#run(program);
    await this.#refuseUnlessOurs();
    if (result.startError !== undefined) {
      const where = { argv: program.argv, cwd: program.cwd, path: program.env.PATH ?? '' };
      return this.close(describeNotStarted(await explainStart(result.startError, where)));
    }
    if (result.truncated) this.#warn('the output of a program was too long, and its end was dropped');
    const facts = await describeRun(result, program, this.#parts.store);
    return result.end === 'aborted' ? this.#leave(facts) : this.close(facts);
  }

  /** The outcome is recorded before it is returned: if the answer to Temporal is lost, the program does not run twice. */
  async close(facts: Facts): Promise<Outcome> {
    this.count(facts);
    const outcome = outcomeOf(facts, this.#record, this.#parts.assignment.input.timeout);
    const transient = outcome.kind === 'failed' ? asTransient(facts, outcome) : undefined;
    if (transient === undefined) return this.#end(outcome);
    await this.#finish({ ...this.#record, state: 'waiting' });
    throw transient;
  }

  /** Somebody has ended the task; what it used until then still counts. */
  async closeCancelled(facts: Pick<Facts, 'output' | 'contract'> = {}): Promise<Outcome> {
    this.count(facts);
    return this.#end({ kind: 'failed', failure: cancelledMeanwhile(), ...toldOf(this.#record, facts) });
  }

  /** Adds what one execution says it used. */
  count({ contract }: Pick<Facts, 'contract'>): void {
    this.#record = { ...this.#record, used: addUsed(this.#record.used, contract) };
  }

  async #end(outcome: Outcome): Promise<Outcome> {
    await this.#finish({ ...this.#record, state: 'ended', outcome });
    return outcome;
  }

  async #prepare(): Promise<Prepared | NotStarted> {
    const { assignment, store, env, paths } = this.#parts;
    try {
      return await prepareProgram(assignment, { store, env, paths, run: this.#record.run });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { exitCode: null, message: error.message };
    }
  }

  #run(program: Prepared): Promise<ProgramResult> {
    const { assignment, live } = this.#parts;
    return runProgram({
      ...program,
      timeout: assignment.input.timeout,
      signal: live.signal,
      tailBytes: contractTail,
      onLine: (line) => live.note({ line }),
      onStart: (pid) => this.#recordStart(pid),
    });
  }

  async #recordStart(pid: number): Promise<void> {
    this.#parts.live.note({ pid });
    const program = readIdentity(pid);
    // Undefined: it has ended already.
    if (program !== undefined) this.#record = { ...this.#record, program };
    await writeRecord(this.#parts.paths, this.#record);
  }

  /**
   * When another process believed us dead, its start of this attempt owns it now; its record and files are not ours. Without a record
   * that can be read nobody knows whose the attempt is, and what ran is told as cut off.
   */
  async #refuseUnlessOurs(): Promise<void> {
    const { paths } = this.#parts;
    const current = await readRecord(paths);
    if (current !== undefined && current !== 'unreadable' && current.run === this.#record.run) return;
    await removeScratch(paths, this.#record.run);
    if (current === undefined) await this.#leaveTrace();
    const lost = current === undefined || current === 'unreadable';
    throw ApplicationFailure.retryable(
      lost ? 'the record of this attempt was lost while it ran' : 'another run of this attempt has taken over',
      'taken-over',
    );
  }

  /** So that the next start knows that the program has run; not over the record of somebody who was faster. */
  async #leaveTrace(): Promise<void> {
    const cut: RunningRecord = { ...this.#record, state: 'running' };
    delete cut.owner;
    await createRecord(this.#parts.paths, cut);
  }

  /** The program is gone already. Only a person's cancellation ends the attempt; the rest lets another worker go on. */
  async #leave(facts: Facts): Promise<Outcome | typeof handedOver> {
    if (this.#parts.live.signal.reason === 'cancelled') return this.closeCancelled(facts);
    this.count(facts);
    const hasRun = this.#record.program !== undefined;
    await this.#finish({ ...this.#record, state: hasRun ? 'handed-over' : 'waiting' });
    return handedOver;
  }

  /** What is already decided is not lost because a record of it could not be written. */
  async #finish(record: RunningRecord): Promise<void> {
    const { paths } = this.#parts;
    this.#record = record;
    try {
      // Files first: on a full disk they may be what fills it, and without a record this end would look like a crash.
      await removeScratch(paths, record.run);
      await writeRecord(paths, record);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.#warn('the end of an attempt could not be recorded', error);
    }
  }

  #warn(message: string, error?: Error): void {
    const { taskId: task, subtaskId: subtask, attempt } = this.#parts.assignment.input;
    this.#parts.logger.warn(message, { task, subtask, attempt, ...(error === undefined ? {} : { error }) });
  }
}
