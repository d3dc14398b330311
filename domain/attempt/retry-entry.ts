interface RetryEntryBase {
  /** ISO 8601. */
  timestamp: string;
  /** Task and subtask in one, for `grep`. */
  task_id: string;
  task: string;
  subtask: string;
}

/** One line of the retry log: how a subtask failed, was tried again, and ended. Names as in its JSON lines. */
export type RetryEntry = RetryEntryBase &
  (
    | {
        event: 'attempt';
        attempt: number;
        status: 'failed' | 'passed' | 'unchecked';
        failure_type?: string;
        error?: string;
        suggested_fix?: string;
        duration_ms: number;
      }
    | { event: 'feedback_injected'; attempt: number; feedback_lines: number }
    | { event: 'escalated'; attempts: number; reason: string }
    | { event: 'user_response'; response: string; by: string | null }
    | {
        event: 'resolved';
        resolution: 'completed' | 'failed' | 'skipped';
        total_attempts: number;
        total_duration_ms: number;
      }
  );
