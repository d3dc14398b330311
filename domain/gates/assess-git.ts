import type { GateFacts, Verdict } from '../types/basic/gate.ts';
import { judgeReading } from './assess-reading.ts';
import { readProgram } from './shell/read-shell.ts';

/** What a call of the `git` tool is about to do: the same as `git` in a shell, but no shell touches its arguments. */
export function judgeGit(args: readonly string[], facts: GateFacts): Verdict {
  return judgeReading(() => readProgram(['git', ...args], { folder: facts.workspace, resolve: facts.resolve }), facts);
}
