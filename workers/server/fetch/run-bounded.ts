import { execFile } from 'node:child_process';
import type { Environment } from '../../home/home.ts';

export interface BoundedRun {
  env: Environment;
  timeout: number;
  cwd?: string;
}

/** Most bytes that are read of a tool's output; pip and go print far less. */
const maxOutput = 16 * 1024 * 1024;

/**
 * Runs a helper program to its end and gives its output; rejects with one sentence that says why it failed.
 * The program stays in our process group, so that Ctrl-C ends it with us.
 */
export function runBounded(program: string, args: readonly string[], run: BoundedRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      {
        env: { ...run.env },
        timeout: run.timeout,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutput,
        ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        reject(new Error(explain(error, stderr.trim() === '' ? stdout : stderr, run.timeout)));
      },
    );
    child.stdin?.end();
  });
}

function explain(
  error: Error & { killed?: boolean; code?: unknown; signal?: unknown },
  output: string,
  timeout: number,
): string {
  if (error.killed === true) return `did not finish within ${timeout / 1000} s`;
  if (typeof error.code === 'string') return `could not be started (${error.code})`;
  const how = typeof error.code === 'number' ? `exit ${error.code}` : `ended by ${String(error.signal)}`;
  const errorLine = findErrorLine(output);
  return errorLine === '' ? how : `${how}: ${errorLine}`;
}

/** The first line that calls itself an error, else the last one; without credentials that an address may carry. */
function findErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((candidate) => /^\s*error\b/i.test(candidate)) ?? lines.at(-1) ?? '';
  return line
    .trim()
    .replace(/\/\/[^/@\s]+@/g, '//***@')
    .slice(0, 300);
}
