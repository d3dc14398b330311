import { spawn } from 'node:child_process';

import { systemCode } from '../../system/system-error.ts';

export interface GitPlace {
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** The program's path; undefined where there is none that may be run. */
  program: string | undefined;
}

/** One run of git, as it can be handed to another process. */
export interface GitRun extends GitPlace {
  args: readonly string[];
  stdin: Uint8Array | string;
  /** Milliseconds after which it is ended. */
  patience: number;
  /** Most bytes that it may print. */
  outputBytes: number;
}

export type GitEnd =
  | { how: 'ended'; code: number | null; stdout: Uint8Array; stderr: string }
  | { how: 'slow' | 'too much' | 'not found' }
  | { how: 'not started'; why: string };

/** How much of a complaint is kept. */
const complaintBytes = 16 * 1024;

/** Starts git in this process and waits for its end. */
export async function gitProcess({ program, args, cwd, env, stdin, patience, outputBytes }: GitRun): Promise<GitEnd> {
  if (program === undefined) return { how: 'not found' };
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  let stderr = '';
  let bytes = 0;
  let stopped: 'slow' | 'too much' | undefined;
  const stop = (why: 'slow' | 'too much'): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('slow'), patience);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > outputBytes) stop('too much');
    else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('latin1')).slice(-complaintBytes)));
  // It may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return stopped === undefined ? { how: 'ended', code, stdout: Buffer.concat(stdout), stderr } : { how: stopped };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { how: 'not found' };
    return { how: 'not started', why: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
