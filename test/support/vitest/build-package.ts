import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../../scripts/build-program.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Below `node_modules`, as it is installed: it finds the dependencies of this tree, and is not stripped of types. */
const place = join(root, 'node_modules', '.cache', 'heddle-tests', 'node_modules', 'heddle');

/** The program as the package has it, from the sources of this tree; the path of its `bin`. */
export async function buildPackage(workflows: string): Promise<string> {
  const made = `${place}.${process.pid}`;
  await buildProgram(join(made, 'dist', 'workers', 'program'));
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(made, name), { recursive: true });
  cpSync(workflows, join(made, 'dist', 'workflow-bundle.js'));
  mkdirSync(join(place, '..'), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  renameSync(made, place);
  return join(place, 'bin', 'heddle.js');
}
