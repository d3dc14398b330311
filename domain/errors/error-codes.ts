/** The exit code of a command line (`exit`) and the status for a web client (`http`). */
interface CodeMeaning {
  exit: 1 | 2 | 3 | 4 | 5 | 130;
  http: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 416 | 421 | 422 | 429 | 499 | 500 | 501 | 502 | 503;
}

/**
 * Every code that a person or a program can meet. docs/errors.md explains each, and what to do about it.
 * 1: it failed; 2: the request is not possible like this; 3: a person is needed; 4: it does not exist (any more);
 * 5: Temporal or the worker does not answer; 130: interrupted.
 */
export const errorCodes = {
  // The plan file.
  PLAN_NOT_FOUND: { exit: 2, http: 400 },
  PLAN_TOO_LARGE: { exit: 2, http: 413 },
  PLAN_SYNTAX: { exit: 2, http: 400 },
  PLAN_UNKNOWN_KEY: { exit: 2, http: 422 },
  PLAN_WRONG_TYPE: { exit: 2, http: 422 },
  PLAN_EMPTY: { exit: 2, http: 422 },
  PLAN_DUPLICATE_ID: { exit: 2, http: 422 },
  PLAN_UNKNOWN_DEPENDENCY: { exit: 2, http: 422 },
  PLAN_CYCLE: { exit: 2, http: 422 },
  PLAN_SYNTHESIS_HAS_DEPENDENTS: { exit: 2, http: 422 },
  PLAN_UNKNOWN_EXECUTOR: { exit: 2, http: 422 },
  PLAN_UNKNOWN_ROLE: { exit: 2, http: 422 },
  PLAN_PATH_OUTSIDE: { exit: 2, http: 422 },
  PLAN_NOT_SUPPORTED: { exit: 2, http: 501 },
  PLAN_INVALID: { exit: 2, http: 422 },

  // The process file and its inputs.
  PROCESS_NOT_FOUND: { exit: 2, http: 404 },
  PROCESS_NOT_TRUSTED: { exit: 2, http: 422 },
  PROCESS_TOO_LARGE: { exit: 2, http: 413 },
  PROCESS_SYNTAX: { exit: 2, http: 400 },
  PROCESS_UNKNOWN_KEY: { exit: 2, http: 422 },
  PROCESS_WRONG_TYPE: { exit: 2, http: 422 },
  PROCESS_DUPLICATE_ID: { exit: 2, http: 422 },
  PROCESS_UNKNOWN_DEPENDENCY: { exit: 2, http: 422 },
  PROCESS_UNKNOWN_PHASE: { exit: 2, http: 422 },
  PROCESS_CYCLE: { exit: 2, http: 422 },
  PROCESS_SYNTHESIS_HAS_DEPENDENTS: { exit: 2, http: 422 },
  PROCESS_PATH_OUTSIDE: { exit: 2, http: 422 },
  PROCESS_DELIVERABLE_SHARED: { exit: 2, http: 422 },
  PROCESS_UNKNOWN_INPUT: { exit: 2, http: 422 },
  PROCESS_INPUT_IN_COMMAND: { exit: 2, http: 422 },
  PROCESS_TOOL_CONFLICT: { exit: 2, http: 422 },
  PROCESS_TOOL_MISSING: { exit: 2, http: 422 },
  PROCESS_GOAL_MISSING: { exit: 2, http: 422 },
  PROCESS_WITH_SUBTASKS: { exit: 2, http: 422 },
  PROCESS_INVALID: { exit: 2, http: 422 },
  PROCESS_EXISTS: { exit: 2, http: 409 },
  INPUT_MISSING: { exit: 2, http: 422 },
  INPUT_UNKNOWN: { exit: 2, http: 422 },
  INPUT_INVALID: { exit: 2, http: 422 },

  // The config.
  CONFIG_SYNTAX: { exit: 2, http: 422 },
  CONFIG_UNKNOWN_KEY: { exit: 2, http: 422 },
  CONFIG_WRONG_TYPE: { exit: 2, http: 422 },
  CONFIG_NOT_SUPPORTED: { exit: 2, http: 501 },
  CONFIG_UNKNOWN_EXECUTOR: { exit: 2, http: 422 },
  CONFIG_EXECUTOR_UNFINISHED: { exit: 2, http: 422 },
  CONFIG_UNKNOWN_PROVIDER: { exit: 2, http: 422 },
  CONFIG_MODEL_UNFINISHED: { exit: 2, http: 422 },
  CONFIG_PROMPT_FIXED: { exit: 2, http: 422 },
  CONFIG_INVALID: { exit: 2, http: 422 },
  CONFIG_FLAG_INVALID: { exit: 2, http: 400 },
  CONFIG_NOT_READABLE: { exit: 2, http: 422 },
  CONFIG_TOO_LARGE: { exit: 2, http: 413 },
  CONFIG_EXISTS: { exit: 2, http: 409 },
  CONFIG_NOT_WRITABLE: { exit: 2, http: 500 },
  CONFIG_NOT_TRUSTED: { exit: 2, http: 422 },
  TRUST_DAMAGED: { exit: 2, http: 500 },

  // Encryption of the history.
  CODEC_KEYS_INVALID: { exit: 2, http: 500 },
  CODEC_KEY_MISSING: { exit: 2, http: 409 },

  // Checks before a task starts.
  WORKSPACE_NOT_FOUND: { exit: 2, http: 422 },
  PROGRAM_NOT_FOUND: { exit: 2, http: 422 },
  VARIABLE_NOT_SET: { exit: 2, http: 422 },
  MODEL_NOT_CONFIGURED: { exit: 2, http: 422 },
  MODEL_NOT_FOUND: { exit: 2, http: 422 },
  MODEL_KEY_MISSING: { exit: 2, http: 422 },
  MODEL_PRICE_MISSING: { exit: 2, http: 422 },
  PROMPT_TOO_LARGE: { exit: 2, http: 422 },
  EXECUTOR_COST_UNKNOWN: { exit: 2, http: 422 },
  SCRIPT_INVALID: { exit: 2, http: 422 },
  MCP_SERVER_FAILED: { exit: 2, http: 422 },
  MCP_TOO_MANY_TOOLS: { exit: 2, http: 422 },
  TOOL_FILE_INVALID: { exit: 2, http: 422 },
  TOOL_NAME_TAKEN: { exit: 2, http: 422 },
  SANDBOX_MISSING: { exit: 2, http: 422 },
  PREFLIGHT_FAILED: { exit: 2, http: 422 },
  PREPARE_FAILED: { exit: 1, http: 500 },

  // Tasks, decisions, messages.
  TASK_EXISTS: { exit: 2, http: 409 },
  TASK_ID_INVALID: { exit: 2, http: 400 },
  TASK_NOT_FOUND: { exit: 4, http: 404 },
  TASK_ENDED: { exit: 4, http: 410 },
  TASK_FAILED: { exit: 1, http: 500 },
  PLAN_NOT_MADE: { exit: 1, http: 502 },
  BUDGET_EXHAUSTED: { exit: 1, http: 409 },
  CRITICAL_FAILED: { exit: 1, http: 500 },
  REMEDIATION_UNRESOLVED: { exit: 1, http: 500 },
  TASK_CANCELLED: { exit: 1, http: 499 },
  SCRIPT_EXHAUSTED: { exit: 1, http: 409 },
  TASK_RUNNING: { exit: 1, http: 409 },
  STATE_UNREADABLE: { exit: 1, http: 500 },
  PLAN_PAGE_WITHOUT_SUBTASK: { exit: 1, http: 500 },
  WORKSPACE_BUSY: { exit: 1, http: 409 },
  RETRY_NOT_NEEDED: { exit: 1, http: 409 },
  RETRY_DOES_NOT_FIT: { exit: 1, http: 409 },
  PROJECT_NOT_FOUND: { exit: 4, http: 404 },
  LESSON_NOT_FOUND: { exit: 4, http: 404 },
  SIGNATURE_NOT_FOUND: { exit: 4, http: 404 },
  SUBTASK_NOT_FOUND: { exit: 4, http: 404 },
  ARTIFACT_NOT_FOUND: { exit: 4, http: 404 },
  DECISION_NOT_FOUND: { exit: 4, http: 404 },
  DECISION_ALREADY_ANSWERED: { exit: 4, http: 409 },
  DECISION_UNKNOWN_OPTION: { exit: 2, http: 422 },
  DECISION_NEEDS_INSTRUCTION: { exit: 2, http: 422 },
  DECISION_NEEDS_VALUE: { exit: 2, http: 422 },
  DECISION_ONCE_ONLY: { exit: 2, http: 422 },
  MESSAGE_INVALID: { exit: 2, http: 422 },
  STEERING_FULL: { exit: 2, http: 429 },
  REPLAN_NOT_POSSIBLE: { exit: 2, http: 409 },
  MEMORY_TOO_LARGE: { exit: 2, http: 413 },
  PERSON_NEEDED: { exit: 3, http: 409 },
  INTERRUPTED: { exit: 130, http: 499 },
  REPLAY_MISMATCH: { exit: 1, http: 409 },
  REPLAY_FILE_INVALID: { exit: 2, http: 422 },
  USAGE: { exit: 2, http: 400 },
  OUTPUT_NOT_WRITTEN: { exit: 1, http: 500 },
  INTERNAL: { exit: 1, http: 500 },

  // Requests by HTTP, and the server behind them.
  HOST_NOT_ALLOWED: { exit: 1, http: 421 },
  ORIGIN_NOT_ALLOWED: { exit: 1, http: 403 },
  RATE_LIMITED: { exit: 1, http: 429 },
  STREAMS_FULL: { exit: 1, http: 503 },
  AUTH_REQUIRED: { exit: 1, http: 401 },
  ROUTE_NOT_FOUND: { exit: 1, http: 404 },
  METHOD_NOT_ALLOWED: { exit: 1, http: 405 },
  ROLE_TOO_LOW: { exit: 1, http: 403 },
  BODY_TYPE: { exit: 2, http: 415 },
  BODY_TOO_LARGE: { exit: 2, http: 413 },
  BODY_MALFORMED: { exit: 2, http: 400 },
  REQUEST_INVALID: { exit: 2, http: 422 },
  CURSOR_INVALID: { exit: 2, http: 400 },
  KEY_REUSED: { exit: 2, http: 409 },
  RANGE_INVALID: { exit: 2, http: 416 },
  WORKSPACE_NOT_ALLOWED: { exit: 2, http: 403 },
  OUTPUT_ELSEWHERE: { exit: 1, http: 404 },

  // The workspace and its snapshots.
  WORKTREE_MISSING: { exit: 1, http: 409 },
  UNDO_CONFLICT: { exit: 1, http: 409 },
  UNDO_NOT_COVERED: { exit: 1, http: 409 },
  SNAPSHOT_FAILED: { exit: 1, http: 500 },
  SNAPSHOTS_ELSEWHERE: { exit: 1, http: 404 },
  GIT_NOT_FOUND: { exit: 1, http: 500 },

  // Temporal, worker, local service, store.
  TEMPORAL_UNREACHABLE: { exit: 5, http: 503 },
  TEMPORAL_REFUSED: { exit: 5, http: 502 },
  TEMPORAL_CONFIG_INVALID: { exit: 2, http: 500 },
  TEMPORAL_NOT_FOUND: { exit: 5, http: 503 },
  TEMPORAL_SOURCE_UNKNOWN: { exit: 2, http: 500 },
  TEMPORAL_SERVER_FAILED: { exit: 5, http: 503 },
  TEMPORAL_SERVER_STUCK: { exit: 5, http: 503 },
  NO_FREE_PORT: { exit: 5, http: 503 },
  NO_WORKER: { exit: 5, http: 503 },
  SERVICE_FAILED: { exit: 5, http: 503 },
  SERVICE_STUCK: { exit: 5, http: 503 },
  SERVICE_OUTDATED: { exit: 5, http: 503 },
  SERVICE_BUSY: { exit: 1, http: 409 },
  SEARCH_ATTRIBUTES_MISSING: { exit: 1, http: 500 },
  HOME_NOT_WRITABLE: { exit: 2, http: 500 },
  HOME_VERSION: { exit: 2, http: 409 },
  NODE_VERSION: { exit: 2, http: 500 },
  HOME_LOCK_BROKEN: { exit: 5, http: 500 },
  NODE_TOO_OLD: { exit: 2, http: 500 },
  HOME_OF_ANOTHER_SERVER: { exit: 2, http: 409 },
  METRICS_ADDRESS_TAKEN: { exit: 2, http: 500 },
  ADDRESS_TAKEN: { exit: 2, http: 500 },
  SERVE_UNPROTECTED: { exit: 2, http: 500 },
  TOKENS_UNREADABLE: { exit: 2, http: 500 },
  TOKEN_EXISTS: { exit: 2, http: 409 },
  TOKEN_NOT_FOUND: { exit: 4, http: 404 },
  VERSION_NOT_CURRENT: { exit: 1, http: 500 },
  STORE_MISSING: { exit: 1, http: 404 },
  STORE_DAMAGED: { exit: 1, http: 500 },
  STORE_BAD_REFERENCE: { exit: 1, http: 400 },
} as const satisfies Record<string, CodeMeaning>;

/**
 * The code of an error, which docs/errors.md explains, with its exit code.
 *
 * @example
 * ```ts
 * const retryable: ReadonlySet<ErrorCode> = new Set(['NO_WORKER', 'TEMPORAL_UNREACHABLE']);
 * ```
 */
export type ErrorCode = keyof typeof errorCodes;

/** Recognises our own codes: another version or another program may send any text. */
export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === 'string' && Object.hasOwn(errorCodes, text);
