/** What the exit of a command means to a script. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  personNeeded: 3,
  notFound: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

const byCode: Readonly<Record<string, Exit>> = {
  USAGE: exits.usage,
  TASK_EXISTS: exits.usage,
  TASK_ID_INVALID: exits.usage,
  MESSAGE_INVALID: exits.usage,
  MEMORY_TOO_LARGE: exits.usage,
  DECISION_UNKNOWN_OPTION: exits.usage,
  DECISION_NEEDS_INSTRUCTION: exits.usage,
  PROGRAM_NOT_FOUND: exits.usage,
  VARIABLE_NOT_SET: exits.usage,
  WORKSPACE_NOT_FOUND: exits.usage,
  HOME_NOT_WRITABLE: exits.usage,
  TEMPORAL_CONFIG_INVALID: exits.usage,
  TEMPORAL_SOURCE_UNKNOWN: exits.usage,
  REPLAY_FILE_INVALID: exits.usage,
  PERSON_NEEDED: exits.personNeeded,
  TASK_NOT_FOUND: exits.notFound,
  TASK_ENDED: exits.notFound,
  DECISION_NOT_FOUND: exits.notFound,
  DECISION_ALREADY_ANSWERED: exits.notFound,
  SUBTASK_NOT_FOUND: exits.notFound,
  SIGNATURE_NOT_FOUND: exits.notFound,
  PROJECT_NOT_FOUND: exits.notFound,
  NO_WORKER: exits.unreachable,
  NO_FREE_PORT: exits.unreachable,
  HOME_LOCK_BROKEN: exits.unreachable,
  SERVICE_BUSY: exits.failed,
  TASK_RUNNING: exits.failed,
  WORKSPACE_BUSY: exits.failed,
  INTERRUPTED: exits.interrupted,
};

const byFamily: Readonly<Record<string, Exit>> = {
  PLAN: exits.usage,
  PREFLIGHT: exits.usage,
  CONFIG: exits.usage,
  METRICS: exits.usage,
  TEMPORAL: exits.unreachable,
  SERVICE: exits.unreachable,
};

/** The exit code for an error's code: its own, else that of its family (the first word), else 1. */
export function exitOf(code: string): Exit {
  const own = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  const family = code.split('_')[0] ?? '';
  return own ?? (Object.hasOwn(byFamily, family) ? byFamily[family] : undefined) ?? exits.failed;
}
