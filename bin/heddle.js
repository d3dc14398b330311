#!/usr/bin/env node
// Plain JavaScript: it must start on any Node, if only to go on with the right one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const fits = major > 22 || (major === 22 && minor >= 18);

if (!fits) {
  const pinned = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  const { status, signal } = spawnSync(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

// Type stripping and SQLite work; that they are called experimental is no news for a user.
const warnings = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of warnings) listener(warning);
});

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist', 'workers', 'heddle.js');
const { heddle } = await import(
  existsSync(built) && root.includes('node_modules') ? built : join(root, 'workers', 'heddle.ts')
);
process.exitCode = await heddle(process.argv.slice(2));
