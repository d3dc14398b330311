import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { systemCode } from '../system/system-error.ts';

/** The path is missing, or is no folder: nothing that passes by itself. */
const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

/** The workspace as one path, symlinks resolved. */
export async function findWorkspace(path: string): Promise<string> {
  try {
    const real = await realpath(resolve(path));
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (!absent.includes(systemCode(error) ?? '')) throw error;
  }
  throw new HeddleError({
    code: 'WORKSPACE_NOT_FOUND',
    message: `The workspace ${path} is not a folder on this host`,
    where: 'workspace',
    hint: 'Name a folder that exists where the worker runs.',
  });
}
