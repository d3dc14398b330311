import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { heddleHome, type HeddleHome } from '../../workers/home/home.ts';
import { resolveTemporal } from '../../workers/server/fetch/resolve-temporal.ts';

/** A folder that ends with the test. Ask for it before anything that writes into it: clean-up runs backwards. */
export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-server-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The user's own variables, without those that would change where things are found. */
export function plainEnv(extra: Record<string, string> = {}): Record<string, string | undefined> {
  return { ...process.env, HEDDLE_HOME: undefined, HEDDLE_TEMPORAL_SOURCE: undefined, ...extra };
}

export function makeHome(): { home: HeddleHome; env: Record<string, string | undefined> } {
  const env = plainEnv({ HEDDLE_HOME: makeTempFolder() });
  return { home: heddleHome(env), env };
}

let resolved: Promise<string> | undefined;

/** The real server: found, or fetched into the user's cache once. */
export function temporalPath(): Promise<string> {
  const env = plainEnv();
  resolved ??= resolveTemporal({ env, home: heddleHome(env) }).then(({ path }) => path);
  return resolved;
}

export function writeProgram(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

export const fakeVersion = 'temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)';

export interface Helper {
  child: ChildProcess;
  /** The next line that it prints. */
  line(): Promise<string>;
  exited: Promise<unknown>;
}

/** Runs a TypeScript file of this folder as a process of its own; killed when the test ends. */
export function startHelper(file: string, args: string[], env = plainEnv()): Helper {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--disable-warning=ExperimentalWarning', join(import.meta.dirname, file), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Code that one of them compiled is there for the next ones.
      env: { NODE_COMPILE_CACHE: inject('compiled'), ...env },
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => String((await lines.next()).value),
    exited: new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal))),
  };
}
