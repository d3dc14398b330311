import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { until } from './cli.ts';

export interface WorkerProcess {
  child: ChildProcess;
  stdout(): string;
  /** Its log, one JSON object a line. */
  stderr(): string;
  /** Ends it and resolves with its exit code, or with the signal that killed it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** A folder for a test's homes and workspaces. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

/** `heddle worker` on the tests' server, as a process of its own: ready when this resolves, gone after the test. */
export async function startWorkerProcess(env: Record<string, string>, ...args: string[]): Promise<WorkerProcess> {
  const { PATH, HOME } = process.env;
  const given = { TEMPORAL_ADDRESS: inject('temporalAddress'), NODE_COMPILE_CACHE: inject('compiled') };
  const child = spawn(process.execPath, [inject('program'), 'worker', '--json', ...args], {
    env: { PATH, HOME, ...given, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until('the worker is ready', () => {
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}: ${stderr}`);
    return stdout.includes('\n');
  });
  const end = (signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> => {
    child.kill(signal);
    return ended;
  };
  return { child, stdout: () => stdout, stderr: () => stderr, end };
}
