import type { Readable, Writable } from 'node:stream';

export type InStream = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

export type OutStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** The surroundings of a command: its folder and environment, and the streams that it reads and writes. */
export interface TerminalPort {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  stdin: InStream;
  stdout: OutStream;
  stderr: OutStream;
  /** Calls the handler when the process is asked to stop (Ctrl-C, SIGTERM), until the returned function is called. This process's own signals by default. */
  onStopRequest?(handler: () => void): () => void;
}
