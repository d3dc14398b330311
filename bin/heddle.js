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

function goOnWithPinnedNode() {
  const pinned = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to both; passing it on would make it two.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
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
