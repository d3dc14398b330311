import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { consoleBundle } from '../../../workers/serve/console-bundle.ts';
import { workflowBundle } from '../../../workers/worker/workflow-bundle.ts';
import { startDevServer } from '../../../workers/server/dev-server.ts';
import { heddleHome } from '../../../workers/home/home.ts';
import { resolveTemporal } from '../../../workers/server/fetch/resolve-temporal.ts';
import { endService, remove } from '../end-service.ts';
import { buildPackage } from './build-package.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Gone after the last test. */
    runFolder: string;
    temporalAddress: string;
    temporalPath: string;
    /** The workflow code of this tree, bundled once for all tests. */
    bundlePath: string;
    /** `bin/heddle.js` of the package that is built from this tree. */
    program: string;
    /** Folder in which Node keeps the compiled code. */
    compiled: string;
    /** A home whose service, once a test has started it, serves all tests that ask for it. */
    sharedHome: string;
  }
}

/** One real server for all tests; those that kill it or need other settings start their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends: (() => unknown)[] = [];
  const end = async (): Promise<void> => {
    for (const one of ends.splice(0).reverse()) await one();
  };
  try {
    await begin(project, ends);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** In memory, if that has room: no test pulls the plug, so nothing has to reach a disk. */
function whereThereIsRoom(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 8 * 1024 ** 3 ? memory : tmpdir();
}

async function begin(project: TestProject, ends: (() => unknown)[]): Promise<void> {
  const folder = mkdtempSync(join(whereThereIsRoom(), 'heddle-tests-'));
  ends.push(() => remove(folder));
  const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress: console.log });
  const server = await startDevServer({
    temporalPath: path,
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    headless: true,
  });
  ends.push(() => server.stop());
  const { codePath } = await workflowBundle(folder);
  const { codePath: encoded } = await workflowBundle(folder, 'encoded');
  const built = await buildPackage({ workflows: codePath, encoded }, await consoleBundle(folder));
  ends.push(() => rmSync(built.folder, { recursive: true, force: true }));
  project.provide('runFolder', folder);
  project.provide('temporalAddress', server.address);
  project.provide('temporalPath', path);
  project.provide('bundlePath', codePath);
  project.provide('program', built.program);
  project.provide('compiled', built.compiled);
  const sharedHome = join(folder, 'home');
  ends.push(() => endService(sharedHome));
  project.provide('sharedHome', sharedHome);
}
