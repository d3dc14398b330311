import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** The workflow of a release that forgot those that are under way: a timer comes before all that they have done. */
const change = `
;{
  const { importWorkflows } = __TEMPORAL__;
  __TEMPORAL__.importWorkflows = () => {
    const workflows = importWorkflows();
    const task = async (...args) => {
      // In a workflow it is a timer of the server.
      await new Promise((resolve) => setTimeout(resolve, 1));
      return workflows.task(...args);
    };
    return { ...workflows, task };
  };
}
`;

/** Workflows that do not fit the histories of ours, bundled. */
export async function writeChangedBundle(folder: string): Promise<string> {
  const path = join(folder, 'changed-workflow-bundle.js');
  const ours = await readFile(inject('bundlePath'), 'utf8');
  // The SDK reads all that follows as the map.
  const map = ours.lastIndexOf('//# sourceMappingURL=');
  await writeFile(path, ours.slice(0, map) + change + ours.slice(map));
  return path;
}
