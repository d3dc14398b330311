import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { heddleHome } from '../../workers/home/home.ts';
import { resolveTemporal } from '../../workers/server/fetch/resolve-temporal.ts';
import { installQuietly, npm } from './npm.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Gone after the last test. */
    installFolder: string;
    /** The files that `npm pack` makes of `@heddle/heddle` and `@heddle/client`. */
    packed: { whole: string; client: string };
    /** The prefix of `npm i -g` with the whole package. */
    prefix: string;
    temporalProgram: string;
  }
}

const root = join(import.meta.dirname, '..', '..');

/** Builds and packs both packages of this tree. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-package-'));
  const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress: console.log });
  for (const script of ['build.ts', 'build-client.ts']) {
    const file = join(root, 'scripts', script);
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', file], { stdio: 'inherit' });
  }
  const pack = (from: string): string => {
    // Its scripts would build once more.
    const printed = npm(['pack', from, '--ignore-scripts', '--silent', '--pack-destination', folder], folder);
    return join(folder, printed.trim());
  };
  project.provide('installFolder', folder);
  const packed = { whole: pack(root), client: pack(join(root, 'dist-client')) };
  const prefix = join(folder, 'prefix');
  npm([...installQuietly, '--global', '--prefix', prefix, packed.whole], folder);
  project.provide('packed', packed);
  project.provide('prefix', prefix);
  project.provide('temporalProgram', path);
  return () => rmSync(folder, { recursive: true, force: true });
}
