import type { FileWrite } from '../../../domain/workspace/tool-writes.ts';

/** An agent announces its writes here while it runs, so that they can be told from those of other people. */
export interface WriteWatch {
  /** A file tool is about to write. */
  noteWrites(writes: readonly FileWrite[]): void;
  /** A command is about to run, which may write anywhere. */
  beforeCommand(): Promise<void>;
  afterCommand(): Promise<void>;
}
