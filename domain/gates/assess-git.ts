import type { GateFacts, GateRuling } from '../types/basic/gate.ts';
import { assessReading } from './assess-reading.ts';
import { readProgram } from './shell/read-shell.ts';

/** The ruling about a call of the `git` tool: the same as `git` in a shell, but no shell touches its arguments. */
export function assessGit(args: readonly string[], facts: GateFacts): GateRuling {
  return assessReading(() => readProgram(['git', ...args], { folder: facts.workspace, resolve: facts.resolve }), facts);
}
