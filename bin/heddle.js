#!/usr/bin/env node
// Plain JavaScript: it must start on any Node, if only to go on with the right one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const fits = major > 22 || (major === 22 && minor >= 18);

if (fits) await run();
else goOnWithPinnedNode();

/**
 * A signal to the process group, such as Ctrl-C, reaches the child by itself; one to this process alone does not. The child cannot tell a
 * repeated signal from a second one, so once it listens (client/cli/shared/launcher.ts) it is told by a message instead.
 */
function goOnWithPinnedNode() {
  const pinned = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, HEDDLE_LAUNCHER: String(process.pid) },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let listens = false;
  child.on('message', (message) => (listens ||= message?.heddle === 'listening'));
  for (const signal of signals) {
    process.on(signal, () => {
      if (listens && child.connected) child.send({ heddle: 'signal', signal }, () => undefined);
      else child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`error: Node ${pinned} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Ended as the child was: whoever waits for this process sees the same.
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(1), 1_000);
  });
}

async function run() {
  quietExperimentalWarnings();
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const built = join(root, 'dist', 'workers', 'program');
  // Node does not strip types under node_modules: an installed package has JavaScript.
  const isInstalled = root.includes('node_modules') && existsSync(built);
  const load = (name) => import(isInstalled ? join(built, `${name}.js`) : join(root, 'workers', `${name}.ts`));
  await load('keep-compiled');
  const { heddle } = await load('heddle');
  process.exitCode = await heddle(process.argv.slice(2));
}

/**
 * Type stripping and SQLite work; that they are called experimental is no news for a user. Nor is it (DEP0123) that gRPC names a TLS server
 * by its IP address, where there is one.
 */
function quietExperimentalWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const isNews = warning.name !== 'ExperimentalWarning' && warning.code !== 'DEP0123';
    if (isNews) for (const listener of listeners) listener(warning);
  });
}
