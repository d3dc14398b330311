import type { Grant, GrantKey, ModelUse } from './agent.ts';
import type { AttemptKey, Issue, ReasonCode, Verdict } from './attempt.ts';
import type { Failure } from './basic/failure.ts';
import type { Finished, Suspended, ResourceUsage } from './outcome.ts';
import type { Ref } from './basic/ref.ts';
import type { Tier } from './subtask.ts';

/** How bad what a verification found is: a check that is always right, a reader's opinion, no opinion, or no reader. */
export type Severity = 'hard-invariant' | 'semantic' | 'inconclusive' | 'infra';

/** The focus of a judge. One judge alone looks at everything. */
export type Lens = 'overall' | 'correctness' | 'completeness' | 'evidence';

/** Limits of what is read to find out if a judge's claim is true. Times are milliseconds. */
export interface ScanLimits {
  files: number;
  bytes: number;
  fileBytes: number;
  time: number;
}

/** The vote of one judge. */
export interface Vote {
  lens: Lens;
  /** Its name in `heddle.toml`; null where none could be asked. */
  model: string | null;
  /** Null: nobody could read what it said. */
  passed: boolean | null;
  /** 0 to 1. */
  confidence: number;
  /** Its reason in its own words, bounded; absent where it gave none. */
  says?: string;
}

/** The judges' opinion of a result that had passed its checks. `inconclusive`: the files contradict it, and it is asked again. */
export interface Judgement {
  outcome: Verdict['outcome'] | 'inconclusive';
  /** 0 to 1; 0 where nobody could read it. */
  confidence: number;
  reasonCode: ReasonCode | null;
  severity: Severity | null;
  votes: Vote[];
  /** Number of times that the files contradicted the claims. */
  contradictions: number;
  /** The conversations with the judges, in the store. */
  transcriptRef?: string;
}

/** Use of an attempt before it was judged. */
export interface SpentBefore {
  used: ResourceUsage;
  models: ModelUse[];
}

/** Input of the activity `judgeSubtask`: what judges see, and nothing of how the work was done. */
export interface JudgeInput extends AttemptKey {
  plan: Ref;
  workspace: string;
  /** Tier of the models that are asked. */
  tier: Tier;
  /** Number of the run, from 1: there is another where the files contradicted the one before. */
  run: number;
  execution: Finished;
  verdict: Pick<Verdict, 'outcome' | 'issues' | 'commands' | 'files'>;
  /** The page of the subtask's evidence. */
  evidence?: Ref;
  before: SpentBefore;
  grant: Grant;
  /** Use of this attempt that the task had counted when it gave the grant. */
  spent: Partial<Record<GrantKey, number>>;
}

/** The outcome of one run of the judges. Its use is that of the whole attempt. */
export interface JudgedResult extends SpentBefore {
  kind: 'judged';
  judgement: Judgement;
  /** Issues for the next attempt, and for people. */
  issues: Issue[];
  /** The page of the subtask's evidence with what the judges dispute, where they do. */
  evidence?: Ref;
  /** The meaning of a failed judgement. */
  failure: Failure | null;
}

export type JudgeOutcome = JudgedResult | Suspended;
