import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { readProcess } from '../../domain/process/read-process.ts';
import { sha256 } from '../system/hash-file.ts';
import { systemCode } from '../system/system-error.ts';

/** A process that was written, and the hash of its bytes. */
export interface WrittenProcess {
  path: string;
  sha256: string;
}

/** Writes a new process: a copy of another file under the new name, or a first one to be changed. Nothing is replaced. */
export async function writeProcess(folder: string, name: string, from: string | undefined): Promise<WrittenProcess> {
  const path = join(folder, `${name}.yaml`);
  const text = from === undefined ? firstProcess(name) : rename(await readFile(from, 'utf8'), name);
  // A copy under another name must be a process too, or it would be found broken later.
  readProcess({ name: path, text }, { name });
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (systemCode(error) === 'EEXIST') throw exists(name, path);
    throw error;
  });
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return { path, sha256: sha256(Buffer.from(text)) };
}

/** The name is a key at the beginning of a line. */
const rename = (text: string, name: string): string => text.replace(/^name:.*$/m, `name: ${name}`);

const exists = (name: string, path: string): HeddleError =>
  new HeddleError({
    code: 'PROCESS_EXISTS',
    message: `There is a process ${name} already.`,
    where: path,
    hint: 'Change that file, or choose another name.',
  });

const firstProcess = (
  name: string,
): string => `# A process is a plan with inputs, phases and rules. docs/processes.md explains every key.
format: 1
name: ${name}
description: Say in one line what this process is for
# strict: the phases are the plan. guided: a planner fills them. suggestive: a planner is shown them.
mode: strict
inputs:
  test: { description: The command that runs the tests, default: npm test }
phases:
  - id: inspect
    description: Look at what the goal touches. Report it in your notes, and change nothing.
    tools: [read_file, list_folder, find_files, search_text]
  - id: work
    description: Do what the goal asks for.
    dependsOn: [inspect]
    verify:
      - { name: the tests pass, run: 'sh -c "$HEDDLE_INPUT_TEST"' }
`;
