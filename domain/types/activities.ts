import type { ExecuteInput, MergeInput, RevertInput, Verdict, VerifyInput } from './attempt.ts';
import type { JudgeInput, JudgeOutcome } from './judgement.ts';
import type { Teaching } from './basic/memory.ts';
import type { Extracted, ExtractInput } from './extraction.ts';
import type { Outcome, Restored } from './outcome.ts';
import type { Recheck, RecheckInput } from './reuse.ts';
import type { FinishInput, FinishOutcome } from './basic/evidence.ts';
import type { Ref } from './basic/ref.ts';
import type {
  Diagnosed,
  DiagnoseInput,
  RewordingResult,
  RewordingInput,
  PlanTaskInput,
  PlanTaskOutcome,
} from './planner.ts';
import type { Prepared } from './task-settings.ts';

/** Activities as the workflow calls them. The room `activities/` implements exactly these: both sides are tied to this file. */
export interface SharedActivities {
  prepareTask: (input: { taskId: string; plan: unknown }) => Promise<Prepared>;
  cancelTask: () => Promise<void>;
  rememberTask: (input: { project: string; lesson: Teaching }) => Promise<void>;
}

/** These need the workspace or the store of its host and run on the host's own queue. */
export interface HostActivities extends Pick<SharedActivities, 'prepareTask'> {
  planTask: (input: PlanTaskInput) => Promise<PlanTaskOutcome>;
  diagnoseFailure: (input: DiagnoseInput) => Promise<Diagnosed>;
  phraseEscalation: (input: RewordingInput) => Promise<RewordingResult>;
  extractLessons: (input: ExtractInput) => Promise<Extracted>;
  executeSubtask: (input: ExecuteInput) => Promise<Outcome>;
  verifySubtask: (input: VerifyInput) => Promise<Verdict>;
  /** Runs the verify commands of work that is taken over from an earlier task. */
  recheckSubtask: (input: RecheckInput) => Promise<Recheck>;
  /** Writes the ledgers of a task that owes evidence. */
  finishTask: (input: FinishInput) => Promise<FinishOutcome>;
  judgeSubtask: (input: JudgeInput) => Promise<JudgeOutcome>;
  mergeSubtask: (input: MergeInput) => Promise<Verdict>;
  /** Undoes the changes of a try that made nothing better. */
  revertAttempt: (input: RevertInput) => Promise<Restored>;
  /** A stretch of the log, or of a state that is too large for one value of the history. */
  storePage: (input: { taskId: string; content: string }) => Promise<Ref>;
  readPage: (input: { taskId: string; page: Ref }) => Promise<string>;
}
