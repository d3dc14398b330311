import type { GateFacts, GateRuling } from '../types/basic/gate.ts';
import { assessReading } from './assess-reading.ts';
import { readShell } from './shell/read-shell.ts';

/**
 * The ruling about a command of the `shell` tool. It is read as bash reads it: every program in every branch, substitution and text that
 * another shell would run. What cannot be read is asked about.
 */
export function assessShell(command: string, facts: GateFacts): GateRuling {
  return assessReading(() => readShell(command, { folder: facts.workspace, resolve: facts.resolve }), facts);
}
