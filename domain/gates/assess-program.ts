import type { GateFacts, GateRuling } from '../types/basic/gate.ts';
import { assessReading } from './assess-reading.ts';
import { readProgram } from './shell/read-shell.ts';

/**
 * The ruling about the program that a `command` executor is about to run: its argument list, and the text of `sh -c` in it. A person wrote it into the plan, so only
 * dangers that have a name ask: not places outside, code in the command, or a missing sandbox.
 */
export function assessProgram(
  run: readonly string[],
  { rules, workspace, resolve, exists }: Pick<GateFacts, 'rules' | 'workspace' | 'resolve' | 'exists'>,
): GateRuling {
  const facts: GateFacts = {
    ...{ rules, workspace, resolve, exists, readRoots: [], forbidden: [] },
    ...{ sandboxed: true, walled: false, allowed: [] },
  };
  return assessReading(() => readProgram(run, { folder: workspace, resolve }), facts, { onlyNamed: true });
}
