import { access } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';

import type { SystemTrouble } from './system-trouble.ts';

/** Why a program was not started, for a person and for the classifier. */
export interface NotStarted {
  /** As a shell would have it: 127 not found, 126 found but not allowed; null where no program could be blamed. */
  exitCode: number | null;
  message: string;
}

export async function explainStart(
  trouble: SystemTrouble,
  program: { argv: readonly string[]; cwd: string; path: string },
): Promise<NotStarted> {
  const name = program.argv[0] ?? '';
  switch (trouble.code) {
    case 'ENOENT':
      return { exitCode: 127, message: await explainMissing(name, program) };
    case 'EACCES':
    case 'EPERM':
      return {
        exitCode: 126,
        message: `The program "${name}" cannot be run: permission denied. Is it executable (chmod +x)?`,
      };
    case 'E2BIG':
      return {
        exitCode: null,
        message: `The arguments of "${name}" are too long for the system; give it the prompt by stdin or file instead of argument.`,
      };
    default:
      return {
        exitCode: null,
        message: `The program "${name}" could not be started: ${trouble.code}: ${trouble.message}`,
      };
  }
}

async function explainMissing(name: string, program: { cwd: string; path: string }): Promise<string> {
  if (!name.includes('/')) return `The program "${name}" was not found on the PATH (${program.path}).`;
  const place = isAbsolute(name) ? name : resolve(program.cwd, name);
  const exists = await access(place).then(
    () => true,
    () => false,
  );
  return exists
    ? `The program "${name}" exists, but the interpreter that its first line names was not found.`
    : `The program "${name}" was not found: there is no ${place}.`;
}
