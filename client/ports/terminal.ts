import type { Readable, Writable } from 'node:stream';

export type InStream = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

export type OutStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** Where a command was called, and what it reads from and writes to. */
export interface TerminalPort {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  stdin: InStream;
  stdout: OutStream;
  stderr: OutStream;
  /** Calls the handler when the process is asked to stop (Ctrl-C, SIGTERM), until the returned function is called. This process's own signals by default. */
  onStopRequest?(handler: () => void): () => void;
}
