import { systemCode } from '../system/system-error.ts';

/** A refusal of the system to start a program or to keep its output. */
export interface SystemTrouble {
  code: string;
  message: string;
}

export function buildTrouble(error: unknown): SystemTrouble {
  const message = error instanceof Error ? error.message : String(error);
  return { code: systemCode(error) ?? 'UNKNOWN', message };
}
