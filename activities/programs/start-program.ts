import { spawn, type ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';
import { buildTrouble, type SystemTrouble } from './system-trouble.ts';

/** Text or bytes that the program reads there, who hears what it writes there, or an open file of ours. */
export type Pipe = string | Uint8Array | ((piece: Buffer) => void) | number;

/** The standard streams of a program that is talked to: nothing of what it prints is kept. */
export interface Talk {
  /** Hears that the program runs, and where it is written to. */
  onOpen: (input: Writable) => void;
  /** Hears each piece that it prints. */
  onPiece: (piece: Buffer) => void;
}

/** The surroundings in which a program starts. */
export interface ProgramStart {
  cwd: string;
  /** The whole environment: nothing of ours is added. */
  env: Readonly<Record<string, string>>;
  /** Without it the program reads an empty input. */
  stdin?: string;
  /** Its input stays open, and its standard output goes there alone. */
  talk?: Talk;
  /** Further descriptors of the program, from 3 on. */
  pipes?: readonly Pipe[];
}

type Started = { child: ChildProcess; pid: number } | { startError: SystemTrouble };

/** Starts a program in a process group of its own. Some failures to start are thrown, some are events: here they are one result. */
export async function startProgram(options: ProgramStart, [program, ...args]: readonly string[]): Promise<Started> {
  if (program === undefined || program === '')
    return { startError: { code: 'EINVAL', message: 'there is no program to run' } };
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: [
        options.stdin === undefined && options.talk === undefined ? 'ignore' : 'pipe',
        ...(['pipe', 'pipe'] as const),
        ...(options.pipes ?? []).map((pipe) => (typeof pipe === 'number' ? pipe : 'pipe')),
      ],
    });
  } catch (error) {
    return { startError: buildTrouble(error) };
  }
  const { pid } = child;
  if (pid !== undefined) {
    child.on('error', () => undefined);
    return { child, pid };
  }
  const error = await new Promise<Error>((resolve) => child.once('error', resolve));
  return { startError: buildTrouble(error) };
}

/** Descriptors that every program has: they come before the further ones. */
const standardStreams = 3;

/** Connects the further descriptors of a program that was started. */
export function connectPipes(child: ChildProcess, pipes: readonly Pipe[]): void {
  for (const [index, use] of pipes.entries()) {
    const stream = child.stdio[index + standardStreams];
    // A program may end without reading what it was given.
    stream?.on('error', () => undefined);
    if (typeof use === 'function') stream?.on('data', use);
    else if (stream instanceof Writable) stream.end(use);
  }
}
