import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFile } from '../../activities/home-layout.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where an installed package has it: Node does not strip types under node_modules, nor does the bundler. */
const prebuilt = join(root, 'workflow-bundle.js');

/**
 * The workflow code as one file. Bundling takes longer than everything else at the start of a worker, so the result is kept
 * under a name made from all that it depends on.
 */
export async function workflowBundle(cacheFolder: string): Promise<{ codePath: string }> {
  if (existsSync(prebuilt)) return { codePath: prebuilt };
  const codePath = bundleFile(cacheFolder, sourceHash());
  if (existsSync(codePath)) return { codePath };
  const { code } = await bundleWorkflows();
  await mkdir(cacheFolder, { recursive: true });
  const temporary = `${codePath}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, codePath);
  return { codePath };
}

export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    logger: { ...silent, log: () => undefined },
  });
}

const nothing = (): void => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: console.warn, error: console.error };

function sourceHash(): string {
  const hash = createHash('sha256');
  const require = createRequire(import.meta.url);
  const sdk: unknown = require('@temporalio/worker/package.json');
  hash.update(JSON.stringify(sdk));
  for (const room of ['domain', 'workflows']) {
    const entries = readdirSync(join(root, room), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.sort()) hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
