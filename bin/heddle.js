#!/usr/bin/env node
// Plain JavaScript: it must start on any Node, if only to re-execute with a supported one or to say which it needs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (isSupported(process.versions.node)) await run();
else {
  const pinned = findPinnedNode();
  if (pinned === undefined) refuse();
  else reexecute(pinned);
}

/** The same range as `engines` of package.json. */
function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/**
 * The Node of the optional dependency `node`. A package manager may leave it out, skip the script that brings its program, or resolve to
 * another version that the project around it depends on.
 */
function findPinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const program = join(dirname(manifest), 'bin', 'node');
    return isSupported(version) && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** The form of every other error: client/cli/shared/show-error.ts cannot be loaded here. */
function refuse(where = process.execPath) {
  const code = 'NODE_VERSION';
  const message = `Heddle needs Node 24 or newer, or 22 from 22.19 on; this is Node ${process.versions.node}`;
  const hint = 'Install Node 24, or reinstall Heddle with optional packages and their scripts: it then brings its own.';
  const args = process.argv.slice(2);
  const end = args.indexOf('--');
  const json = (end === -1 ? args : args.slice(0, end)).includes('--json');
  const lines = [`error: ${message} (${code})`, `  where: ${where}`, `  hint: ${hint}`];
  const text = json ? JSON.stringify({ error: { code, message, where, hint } }) : lines.join('\n');
  process.stderr.write(`${text}\n`, () => process.exit(2));
}

/**
 * A signal to the process group, such as Ctrl-C, reaches the child by itself; one to this process alone does not. The child cannot tell a
 * repeated signal from a second one, so once it listens (client/cli/shared/launcher.ts) it is told by a message instead.
 */
function reexecute(pinned) {
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, HEDDLE_LAUNCHER: String(process.pid) },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let listens = false;
  child.on('message', (message) => (listens = listens || message?.heddle === 'listening'));
  for (const signal of signals) {
    process.on(signal, () => {
      if (!listens) child.kill(signal);
      // A child that has closed the channel is about to end, and listens to no signal any more: one would make a failure of its end.
      else if (child.connected) child.send({ heddle: 'signal', signal }, () => undefined);
    });
  }
  child.on('error', (error) => refuse(`${pinned} cannot be started: ${error.message}`));
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
