import type { ShownLesson } from './basic/lessons.ts';
import type { DependencyResult, ExecuteInput } from './attempt.ts';
import type { EvidenceDraft } from './basic/evidence.ts';
import type { Ref } from './basic/ref.ts';

/** Input of the activity `composeCall`. */
export type ComposeInput = Pick<ExecuteInput, 'taskId' | 'subtaskId' | 'plan' | 'attempt' | 'context' | 'inputs'> &
  Partial<Pick<ExecuteInput, 'evidence' | 'workspace'>>;

/** Input of the activity `keepEvidence`: the records of an activity of the user's own, and those before them. */
export interface KeepEvidenceInput extends Pick<
  ExecuteInput,
  'taskId' | 'subtaskId' | 'plan' | 'attempt' | 'startedAt' | 'workspace' | 'inputs' | 'evidence'
> {
  records: EvidenceDraft[];
}

/** Input for an executor that cannot read our store. */
export interface ComposedCall {
  prompt: string;
  inputs: DependencyResult[];
  /** Size of both as JSON. */
  bytes: number;
  /** Lessons that the prompt shows. */
  lessons?: ShownLesson[];
}

/** Needs the store of the task's host and runs on its queue. */
export interface ComposeActivities {
  composeCall: (input: ComposeInput) => Promise<ComposedCall>;
  /** Null where there is nothing to keep. */
  keepEvidence: (input: KeepEvidenceInput) => Promise<Ref | null>;
}
