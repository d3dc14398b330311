import type { GateFacts, Verdict } from '../types/basic/gate.ts';
import { assessReading } from './assess-reading.ts';
import { readProgram } from './shell/read-shell.ts';

/** What a call of the `git` tool is about to do: the same as `git` in a shell, but no shell touches its arguments. */
export function assessGit(args: readonly string[], facts: GateFacts): Verdict {
  return assessReading(() => readProgram(['git', ...args], { folder: facts.workspace, resolve: facts.resolve }), facts);
}
