import type { GateFacts, Verdict } from '../types/basic/gate.ts';
import { assessReading } from './assess-reading.ts';
import { readShell } from './shell/read-shell.ts';

/**
 * What a command of the `shell` tool is about to do. It is read as bash reads it: every program in every branch, substitution and text that
 * another shell would run. What cannot be read is asked about.
 */
export function assessShell(command: string, facts: GateFacts): Verdict {
  return assessReading(() => readShell(command, { folder: facts.workspace, resolve: facts.resolve }), facts);
}
