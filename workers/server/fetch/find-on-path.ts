import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ownPath } from '../../../activities/programs/own-programs.ts';
import type { Environment } from '../../home/home.ts';

/** Every program of that name on the PATH, in order: a broken first one may have a working second. */
export function findAllOnPath(name: string, env: Environment): string[] {
  // A program that a project's dependencies, or an agent, put into `node_modules/.bin` is not run for Heddle.
  return ownPath(env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .filter((path, index, all) => all.indexOf(path) === index && isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
