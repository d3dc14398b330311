import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Variables by which an `npm run` around the tests would tell npm where to install. */
const inherited = /^npm_config_(?:local_|global_)?prefix$|^npm_package_|^npm_lifecycle_/;

/** Runs npm and returns its output. */
export function npm(args: string[], cwd: string): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

export const installQuietly = ['install', '--no-audit', '--no-fund', '--silent', '--prefer-offline'];

/** Every file below a folder, with the bytes that it takes on a disk. */
export function listInstalled(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, bytes: 512 * lstatSync(path).blocks }));
}
