import { open } from 'node:fs/promises';
import { attemptGroup, inGroup } from './control-group.ts';
import { findProgram } from './find-program.ts';

/** Bytes of a script in which the system looks for its interpreter. */
const firstLine = 256;

/** The facts of a program before it starts. */
interface Launch {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Entries in the environment of its processes: of this start, and of all starts of its attempt. */
  mark?: string;
  attemptMark?: string;
}

/**
 * The arguments with which a program is in the control group of its attempt before it begins, where there is such a group. A program that
 * cannot be started stays as it is: it is to fail as itself, and not in a shell.
 */
export async function argvInGroup({ argv, cwd, env, mark, attemptMark }: Launch): Promise<readonly string[]> {
  if (mark === undefined) return argv;
  const program = await findProgram(argv[0] ?? '', { path: env['PATH'], cwd });
  if (program === undefined || !(await hasInterpreter(program, cwd))) return argv;
  const group = attemptGroup(attemptMark === undefined ? [mark] : [mark, attemptMark]);
  return group === undefined ? argv : inGroup(group, argv, env);
}

/** The interpreter that the first line of a script names must be there; a program that is no script has none. */
async function hasInterpreter(program: string, cwd: string): Promise<boolean> {
  try {
    const file = await open(program);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(firstLine), position: 0 });
      const [, interpreter] = /^#![ \t]*(\S+)/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
      if (interpreter === undefined) return true;
      return (
        (await findProgram(interpreter.includes('/') ? interpreter : `./${interpreter}`, { path: '', cwd })) !==
        undefined
      );
    } finally {
      await file.close();
    }
  } catch {
    // A program need not be readable to be run.
    return true;
  }
}
