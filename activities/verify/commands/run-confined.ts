import { writeFile } from 'node:fs/promises';
import { ownShell } from '../../programs/own-programs.ts';
import type { ProgramResult } from '../../programs/run-program.ts';
import type { CommandPort, CommandResult } from '../../sandbox/command.ts';

/** How a verify command ended. */
export type CommandEnd = Pick<ProgramResult, 'end' | 'exitCode' | 'signal' | 'startError' | 'outputError'>;

/** The place where verify commands run, and the reason why one may not, in a sentence. A command that passed when it was planned may lead elsewhere now. */
export interface ConfinedChecks {
  port: CommandPort;
  refusal: (command: string, signal: AbortSignal) => Promise<string | undefined>;
}

interface Confined extends ConfinedChecks {
  /** The file that its output goes to. */
  output: string;
  /** Variables that name its task. */
  env: Readonly<Record<string, string>>;
  timeout: number;
  signal: AbortSignal;
}

/** A verify command that runs where the commands of agents run, and nowhere else. */
export async function runConfined(
  command: string,
  { port, refusal, output, ...limits }: Confined,
): Promise<CommandEnd> {
  const refused = await refusal(command, limits.signal);
  if (refused !== undefined) return { ...ended, end: 'not-started', startError: { code: 'GATE', message: refused } };
  const result = await port.run({ argv: [ownShell, '-c', command], ...limits });
  if (result.kind !== 'not-started') await writeFile(output, formatOutput(result));
  switch (result.kind) {
    case 'not-started':
      return { ...ended, end: 'not-started', startError: { code: 'SANDBOX', message: result.why } };
    case 'exited':
      return { ...ended, exitCode: result.exit, signal: result.signal };
    case 'killed':
      if (result.for === 'abort') return { ...ended, end: 'aborted' };
      return result.for === 'time' ? { ...ended, end: 'timeout' } : { ...ended, signal: 'SIGKILL' };
  }
}

const ended: CommandEnd = { end: 'exited', exitCode: null, signal: null };

function formatOutput(result: Exclude<CommandResult, { kind: 'not-started' }>): string {
  const { head, tail, dropped } = result.output;
  const why =
    result.kind === 'killed' && result.for !== 'abort' ? `\n(ended: too much ${result.for} for a command)` : '';
  return `${head}${dropped > 0 ? '\n(a part was not kept)\n' : ''}${tail}${why}`;
}
