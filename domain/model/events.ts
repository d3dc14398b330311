import type { DependencyResult, Verdict } from './attempt.ts';
import type { BudgetKey } from './budget.ts';
import type { Answer, Decision } from './decision.ts';
import type { AttemptRecord, Failure } from './failure.ts';
import type { NextStep } from './ladder.ts';
import type { Task } from './task.ts';

/** Everything that can happen to a task. The state changes by these and nothing else. */
export type TaskEvent =
  | { type: 'task.started'; goal: string }
  | { type: 'plan.ready'; task: Task }
  | { type: 'subtask.started'; subtask: string }
  | { type: 'attempt.started'; subtask: string; record: AttemptRecord }
  /** An attempt that waited for the environment has its slot again; its start was told before. */
  | { type: 'attempt.resumed'; subtask: string }
  | { type: 'attempt.rerun'; subtask: string; attempt: number; reason: 'crash'; reruns: number }
  | {
      type: 'attempt.rerun';
      subtask: string;
      attempt: number;
      reason: 'environment';
      failure: Failure;
      waitMs: number;
      record: AttemptRecord;
    }
  | { type: 'verdict'; subtask: string; attempt: number; outcome: Verdict['outcome']; issues: string }
  | { type: 'attempt.passed'; subtask: string; attempt: number; record: AttemptRecord; result: DependencyResult }
  | {
      type: 'attempt.failed';
      subtask: string;
      attempt: number;
      record: AttemptRecord;
      failure: Failure;
      next: NextStep | { kind: 'stopped' };
      /** A wait before the next attempt. */
      waitMs: number;
    }
  | {
      type: 'subtask.completed';
      subtask: string;
      verdict: Verdict['outcome'];
      by?: string;
      /** Taken over from an earlier task. */
      reused?: { task: string; result: DependencyResult };
    }
  | { type: 'subtask.failed'; subtask: string; reason: string }
  | { type: 'subtask.blocked'; subtask: string; reason: string; independent: number; waits: boolean }
  | { type: 'subtask.skipped'; subtask: string; reason: string }
  | { type: 'decision.opened'; decision: Decision }
  /** `standing`: nobody was asked, an answer that was given before holds for this failure. */
  | { type: 'decision.answered'; answer: Answer; updateId: string | null; standing?: true }
  | { type: 'task.steered'; text: string; subtask?: string; by?: string }
  | { type: 'task.paused'; reason: string; by: 'person' | 'escalations' }
  | { type: 'task.resumed' }
  | { type: 'task.stalled'; reasons: string[] }
  | { type: 'budget.warning'; key: BudgetKey; used: number; limit: number }
  | { type: 'budget.exhausted'; key: BudgetKey; used: number; limit: number }
  | { type: 'message.refused'; message: string; reason: string }
  | { type: 'task.cancelling'; reason: string }
  | { type: 'task.ended'; state: EndState; reason: string; code?: string };

export type EndState = 'completed' | 'failed' | 'cancelled';

/** What is told of an event: one plain sentence, and what it is about. */
export interface ToldEvent {
  type: string;
  text: string;
  subtask?: string;
  attempt?: number;
  [about: string]: unknown;
}

/** An event as people and programs follow it. Numbers grow by one. */
export interface LoggedEvent extends ToldEvent {
  id: number;
  time: string;
}
