import { bundleWorkflowCode } from '@temporalio/worker';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bundles workflows that do not fit the histories of ours. */
export async function writeChangedBundle(folder: string): Promise<string> {
  const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'changed-workflows.ts'),
    logger: quiet,
  });
  const path = join(folder, 'changed-workflow-bundle.js');
  writeFileSync(path, code);
  return path;
}

const nothing = (): void => undefined;
