import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../../scripts/build-program.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface BuiltPackage {
  folder: string;
  /** Its `bin/heddle.js`. */
  program: string;
  /** Folder in which Node keeps the compiled code: by its path, which is this run's. */
  compiled: string;
}

/** The program as the package has it, from the sources of this tree; each run of the tests has its own. */
export async function buildPackage(
  { workflows, encoded }: { workflows: string; encoded: string },
  console: string,
): Promise<BuiltPackage> {
  // Below `node_modules`, as it is installed: it finds the dependencies of this tree, and is not stripped of types.
  const folder = join(root, 'node_modules', '.cache', `heddle-tests-${process.pid}`);
  const made = join(folder, 'node_modules', 'heddle');
  await buildProgram(join(made, 'dist', 'workers', 'program'));
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(made, name), { recursive: true });
  cpSync(workflows, join(made, 'dist', 'workflow-bundle.js'));
  cpSync(encoded, join(made, 'dist', 'workflow-bundle-encoded.js'));
  cpSync(console, join(made, 'dist', 'console'), { recursive: true });
  return { folder, program: join(made, 'bin', 'heddle.js'), compiled: join(folder, 'compiled') };
}
