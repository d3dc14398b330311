import type { Context } from '@temporalio/activity';

import type { AttemptKey } from '../../domain/types/attempt.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import { isSystemError } from '../system/system-error.ts';
import { takenOver } from '../temporal/failure.ts';
import { describeAttempt } from './attempt.ts';
import { createRecord, readRecord, writeRecord } from './running-record.ts';
import type { RunningRecord } from './running-record.ts';
import { removeScratch } from './attempt-scratch.ts';

interface OwnedParts {
  paths: AttemptPaths;
  record: RunningRecord;
  key: AttemptKey;
  logger: Pick<Context['log'], 'warn'>;
}

/** The running record of an attempt in the hands of the execution that owns it, whatever its executor is. */
export class OwnedRecord {
  readonly paths: AttemptPaths;
  readonly #parts: OwnedParts;
  #record: RunningRecord;

  constructor(parts: OwnedParts) {
    this.#parts = parts;
    this.paths = parts.paths;
    this.#record = parts.record;
  }

  get record(): RunningRecord {
    return this.#record;
  }

  /** Known here; written with what comes next. */
  note(news: Partial<RunningRecord>): void {
    this.#record = { ...this.#record, ...news };
  }

  async write(news: Partial<RunningRecord>): Promise<void> {
    this.note(news);
    await writeRecord(this.paths, this.#record);
  }

  /** The outcome is recorded before it is returned: if the answer to Temporal is lost, nothing runs twice. */
  async end<T extends Outcome>(outcome: T): Promise<T> {
    await this.finish({ state: 'ended', outcome });
    return outcome;
  }

  /** An end that is already decided is not lost because the record of it could not be written. */
  async finish(news: Partial<RunningRecord>): Promise<void> {
    this.note(news);
    try {
      // Files first: on a full disk they may be what fills it, and without a record this end would look like a crash.
      await removeScratch(this.paths, this.#record.run);
      await writeRecord(this.paths, this.#record);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.warn('the end of an attempt could not be recorded', error);
    }
  }

  /**
   * When another process believed us dead, its start of this attempt owns it now; its record and files are not ours. Without a record
   * that can be read nobody knows whose the attempt is, and what ran is told as cut off.
   */
  async refuseUnlessOurs(): Promise<void> {
    const current = await readRecord(this.paths);
    if (current !== undefined && current !== 'unreadable' && current.run === this.#record.run) return;
    await removeScratch(this.paths, this.#record.run);
    if (current === undefined) await this.#leaveTrace();
    const lost = current === undefined || current === 'unreadable';
    throw takenOver(
      lost ? 'the record of this attempt was lost while it ran' : 'another run of this attempt has taken over',
    );
  }

  warn(message: string, error?: Error): void {
    const about = describeAttempt(this.#parts.key);
    this.#parts.logger.warn(message, { ...about, ...(error === undefined ? {} : { error }) });
  }

  /** So that the next start knows that something has run; not over the record of somebody who was faster. */
  async #leaveTrace(): Promise<void> {
    const cut: RunningRecord = { ...this.#record, state: 'running' };
    delete cut.owner;
    await createRecord(this.paths, cut);
  }
}
